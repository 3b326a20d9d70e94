import type { Action } from "./action.ts";
import { GO_ACTIONS, PAGE_ACTIONS, WRITE_ACTIONS } from "./action.ts";
import { ITEM_ACTIONS } from "./item-actions.ts";

export const ACTIONS: readonly Action[] = [
  ...ITEM_ACTIONS,
  ...GO_ACTIONS,
  ...WRITE_ACTIONS,
  ...PAGE_ACTIONS,
];
