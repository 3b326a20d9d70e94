import type { Activation } from "./activation.ts";
import { activationOf } from "./activation.ts";

const REQUESTS =
  /\b(?:can|could|would|will) (?:you|u)\b|\b(?:show|tell|give|help|remind|let|walk) (?:me|us)\b|\b(?:kannst|könntest|würdest) du\b|\b(?:können|könnten|würden) Sie\b|\b(?:zeig|sag|gib|hilf|erklär)e? mir\b|\b(?:peux|pourrais)[- ]tu\b|\b(?:pouvez|pourriez)[- ]vous\b|\b(?:dis|montre|aide|donne|explique)[- ]moi\b/giu;

/**
 * Words for "I", "you" and "my", "your" in the most spoken languages, unless another language uses the word
 * for something else.
 */
const FIRST =
  "i|me|my|mine|myself|ich|mich|mir|mein(?:e[mnrs]?)?|j(?=['’]\\p{L})|je|moi|mon|mes|yo|mis?|mío|mía|mia|miei|mio|meus?|minhas?|ik|mij|mijn|mój|moja|moje|mnie|я|мой|моя|моё|мои|мне|меня";
const SECOND =
  "you|yours?|du|dich|dir|dein(?:e[mnrs]?)?|tu|toi|tes|vous|vos|votre|usted|tus|tú|tuo|tua|você|teu|jij|jouw|twój|twoja|ты|твой|вы|ваш";
const PERSON = new RegExp(
  `(?<![\\p{L}\\p{N}_.])(?:(${FIRST})|(?:${SECOND}))(?![\\p{L}\\p{N}_])`,
  "iu",
);
const ABBREVIATION = /\bi\/o\b|(?<![\p{L}_])[\p{L}_]+[._][\p{L}_]+[\p{L}\p{N}._]*/giu;
const UNSPACED = /(我|私|僕|俺)|你|あなた/u;

/**
 * True if a query asks about what the user said of themselves: "How many columns did I want?" A
 * question is
 * about the person whom it names first.
 */
export function isAboutOneself(query: string): boolean {
  const asked = query.replace(REQUESTS, " ").replace(ABBREVIATION, " ");
  return (PERSON.exec(asked) ?? UNSPACED.exec(asked))?.[1] !== undefined;
}

/** Share of its activation that an assistant's answer loses when the query is about the user. */
const LOSS = 1;
/** An answer loses at most this share, so that it is still found if nothing else is. */
const MAX_IT = 0.5;

/** A query about oneself asks for one's own words, so the assistant's answers lose activation. */
export function quietenAnswers(
  episodes: ReadonlyMap<number, Activation>,
  answers: ReadonlySet<number>,
): void {
  for (const number of answers) {
    const parts = episodes.get(number);
    if (parts === undefined) continue;
    parts.voice = -Math.min(LOSS, MAX_IT * Math.max(0, activationOf(parts)));
  }
}
