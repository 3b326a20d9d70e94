import type { CompiledRules } from "../rules/compiled-rules.ts";
import { isPrecise } from "../rules/marks-of-sentences.ts";

/** A sentence where it stands: the same words mean another thing as an answer. */
export interface PlacedSentence {
  readonly by: "user" | "assistant";
  readonly text: string;
  /** What the other one said before. */
  readonly before?: string | undefined;
  /** Whether it begins what was said. */
  readonly isFirst: boolean;
  readonly rules: CompiledRules;
}

/** Features are hashed to so many places: what is trained and what asks must agree. */
export const FEATURE_PLACES = 2 ** 15;

/** Longer sentences are told by their beginning; characters. */
const MOST_READ = 240;
const GRAMS = [2, 3, 4, 5] as const;
const PARTS = [
  ...["preference", "decision", "decided", "correction", "rejection", "fact", "failed"],
  ...["outcome", "passing", "request", "trouble", "supposing", "reporting", "agreement", "recap"],
] as const satisfies readonly string[];

/** Places of what a sentence is told by: its words, parts of them, marks, and what it answers. */
export function statementFeatures(sentence: PlacedSentence): Uint16Array {
  const found = new Set<number>();
  const add = (feature: string) => found.add(placeOf(`${sentence.by}|${feature}`));
  const shape = plainShape(sentence.text);
  const words = shape.match(/[\p{L}\p{N}_⌘]+|[^\s\p{L}\p{N}_⌘]/gu) ?? [];
  words.forEach((word, index) => {
    add(`w ${word}`);
    add(`w2 ${word} ${words[index + 1] ?? "$"}`);
    if (index < 3) add(`b${index} ${word}`);
  });
  add(`b ${words.slice(0, 2).join(" ")}`);
  add(`b ${words.slice(0, 3).join(" ")}`);
  add(`e ${words.slice(-2).join(" ")}`);
  const letters = `^${shape}$`;
  for (const size of GRAMS) {
    for (let at = 0; at + size <= letters.length; at += 1) add(letters.slice(at, at + size));
  }
  for (const feature of marksOf(sentence, words.length)) add(`m ${feature}`);
  return Uint16Array.from(found);
}

function marksOf({ text, before, isFirst, rules }: PlacedSentence, words: number): string[] {
  const parts = PARTS.filter((part) => rules.matches(part, text));
  const marks = [
    ...parts.map((part) => `rule ${part}`),
    ...(parts.length === 0 ? ["no rule"] : []),
    ...(isPrecise(text) ? ["precise"] : []),
    ...(/[?？]["'”’)*\s]*$/u.test(text) ? ["question"] : []),
    ...(/[?？]/u.test(text) ? ["asks"] : []),
    ...(/["“”„«»「」‘]/u.test(text) ? ["quotes"] : []),
    ...(/\d/.test(text) ? ["number"] : []),
    ...(/^\p{Lu}/u.test(text) ? ["capital"] : []),
    ...(/[.。!]$/.test(text) ? ["ends"] : []),
    `length ${Math.min(6, Math.floor(Math.log2(words + 1)))}`,
    isFirst ? "first" : "later",
  ];
  if (before === undefined) return [...marks, "alone"];
  const answers = [
    ...["answers"],
    ...(/[?？]/u.test(before) ? ["answers question"] : []),
    ...(/\d/.test(before) && /\d/.test(text) ? ["number for number"] : []),
    `shares ${sharedWords(text, before)}`,
  ];
  return [...marks, ...answers, ...parts.map((part) => `answers with ${part}`)];
}

/** How many of its longer words it has of what was said before. */
function sharedWords(text: string, before: string): number {
  const said = before.toLowerCase();
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{4,}|\p{Script=Han}{2}/gu) ?? []);
  return Math.min(2, [...words].filter((word) => said.includes(word)).length);
}

/** Lower case, with code as one sign and numbers as nought: of a rule it matters that there is one. */
function plainShape(text: string): string {
  return text
    .slice(0, MOST_READ)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/`[^`]*`/g, "⌘")
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/\d+/g, "0")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** FNV-1a. */
function placeOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) {
    hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (FEATURE_PLACES - 1);
}
