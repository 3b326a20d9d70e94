import { sentencesOf } from "../../../src/ingest/learning/index.ts";
import { LANGUAGES } from "../../../src/ingest/learning/rules/languages.ts";
import { LANGUAGES as CODES, readScenes, type Scene } from "../scenes.ts";
import type { Label, LabelledSentence } from "./read-corpus.ts";

/** They are fewer than the sentences of the corpus, and closer to what people say. */
const TIMES = 3;

/** What the rules give as examples, and the scenes of `dev`, sentence by sentence. */
export function labelledExamples(): LabelledSentence[] {
  const examples = LANGUAGES.flatMap(({ language, examples: all }) =>
    all.map(([text, kind]) => example({ language, text, label: labelOf(kind ?? undefined) })),
  );
  const scenes = CODES.flatMap((code) => readScenes("dev", code).flatMap(sentencesOfScene));
  return Array.from({ length: TIMES }, () => [...examples, ...scenes]).flat();
}

function sentencesOfScene({ language, turns, expected }: Scene): LabelledSentence[] {
  const wanted = expected?.text.toLowerCase();
  return turns.flatMap(({ by, text }, place) => {
    if (by === "tool") return [];
    const said = turns.slice(0, place).findLast((turn) => turn.by !== "tool");
    const before = said?.by === by ? undefined : said?.text;
    const isMeant = wanted !== undefined && expected?.saidBy.includes(by) === true;
    const holds = (words: string) => isMeant && words.toLowerCase().includes(wanted);
    return sentencesOf(text).flatMap((sentence) => {
      const keeps = holds(sentence.text);
      // What stands beside it in the same turn belongs to it, or not: nobody said.
      if (!keeps && holds(text)) return [];
      const kind = keeps ? expected?.kinds[0] : undefined;
      const label = by === "user" ? labelOf(kind) : labelOfAssistant(kind);
      return [example({ language, text: sentence.text, label, before })];
    });
  });
}

function labelOf(kind: string | undefined): Label {
  if (kind === undefined) return "none";
  if (kind === "instruction" || kind === "preference") return "preference";
  return kind === "decision" || kind === "fact" ? kind : "outcome";
}

function labelOfAssistant(kind: string | undefined): Label {
  if (kind === undefined) return "anone";
  return kind === "outcome" ? "aoutcome" : "recap";
}

function example(
  said: Pick<LabelledSentence, "language" | "text" | "label"> & { before?: string | undefined },
): LabelledSentence {
  return { corrects: undefined, frame: 0, before: undefined, ...said };
}
