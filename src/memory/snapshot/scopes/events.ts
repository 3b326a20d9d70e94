import { loadList } from "../../context/sliced-list.ts";
import { lastEventSeq, listEvents } from "../../events/event.queries.ts";
import { createFeedFilter } from "../../filters/feed-filter.ts";
import { countArgument, defineScope } from "../define-scope.ts";

export const events = defineScope({
  name: "events",
  summary: "The change feed after a sequence number",
  argument: countArgument("events", { name: "since_seq", optional: true }, 0),
  narrows: "records",
  async read(context, argument, _prepared, { parts }) {
    const { tx } = context;
    const sinceSeq = Number(argument || "0");
    const limit = Math.max(1, (await lastEventSeq(tx)) - sinceSeq);
    const found = await listEvents(tx, {
      sinceSeq,
      limit,
      filter: createFeedFilter("event", parts),
    });
    return {
      since_seq: sinceSeq,
      count: found.length,
      events: await loadList(context, found, async (_tx, slice) => [...slice]),
      next_since_seq: found.at(-1)?.seq ?? sinceSeq,
    };
  },
});
