import { lastEventSeq, listEvents } from "../../events/event.queries.ts";
import type { ScopeReader } from "../scope.ts";

/** The whole feed after a sequence number. */
export const events: ScopeReader = async ({ tx }, argument = "0") => {
  const sinceSeq = Number(argument);
  const limit = Math.max(1, (await lastEventSeq(tx)) - sinceSeq);
  const found = await listEvents(tx, { sinceSeq, limit });
  return {
    since_seq: sinceSeq,
    count: found.length,
    events: found,
    next_since_seq: found.at(-1)?.seq ?? sinceSeq,
  };
};
