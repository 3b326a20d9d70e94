import type { Action } from "./action.ts";
import { GO_ACTIONS } from "./go-actions.ts";
import { ITEM_ACTIONS } from "./item-actions.ts";
import { PAGE_ACTIONS } from "./page-actions.ts";
import { WRITE_ACTIONS } from "./write-actions.ts";

export const ACTIONS: readonly Action[] = [
  ...ITEM_ACTIONS,
  ...GO_ACTIONS,
  ...WRITE_ACTIONS,
  ...PAGE_ACTIONS,
];
