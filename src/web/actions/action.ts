import type { Page } from "../page.ts";
import type { ActionOf } from "./action-definition.ts";

export { ACTION_GROUPS, type Targets } from "./action-definition.ts";

export type Action = ActionOf<Page>;
