import { toTimestamp } from "../../../shared/clock.ts";
import { invalidInput } from "../../../shared/errors.ts";
import { parseMoment } from "../../../shared/time.ts";
import type { GivenFilter } from "../../filters/resolve-filter.ts";
import { prepareRecall, recall } from "../../recall/index.ts";
import type { RecallRequest } from "../../recall/recall.schema.ts";
import type { PrepareContext } from "../../search/prepare-context.ts";
import { defineScope } from "../define-scope.ts";

const CONCEPTS = 10;

export const query = defineScope({
  name: "query",
  summary: "Concepts found for a text",
  argument: { name: "text", form: "<text>", runsOnUntil: "comma" },
  narrows: "records",
  prepare: (context, text, input) => prepareRecall(context, asked(text, input, getMoment(context))),
  async read(context, text, prepared, { given }) {
    const { concepts } = await recall(context, asked(text, given, context.now), prepared);
    return { query: text, concepts };
  },
});

function asked(text: string, input: GivenFilter, now: string): RecallRequest {
  const { as_of: asOf, known_at: knownAt, text: words, ...narrowedBy } = input;
  if (words !== undefined) {
    throw invalidInput("text: the scope query looks for words of its own; put them there");
  }
  const at = (moment: unknown) =>
    typeof moment === "string" ? parseMoment(moment, "end", new Date(now)) : undefined;
  return {
    query: text,
    k: CONCEPTS,
    episode_k: 0,
    as_of: at(asOf),
    known_at: at(knownAt),
    narrowedBy,
  };
}

const getMoment = ({ clock }: PrepareContext): string => toTimestamp(clock.now());
