import type { JsonObject } from "../../shared/json.ts";
import type { RecallWay } from "./recall-log.table.ts";

export interface LoggedItem {
  readonly id: string;
  readonly score?: number | undefined;
  readonly isCut?: boolean;
}

export interface LoggedRecall {
  readonly way: RecallWay;
  readonly client?: string | undefined;
  readonly session?: string | undefined;
  readonly askedBy?: string | undefined;
  readonly question?: string | undefined;
  readonly asked?: JsonObject | undefined;
  readonly items: readonly LoggedItem[];
}

export interface Asker {
  readonly client: string;
  readonly session: string | undefined;
}
