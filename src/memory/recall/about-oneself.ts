import type { Activation } from "./activation.ts";
import { activationOf } from "./rank.ts";

/** "Can you …" and "show me …" ask for an answer, and say nothing of whom it is about. */
const REQUESTS =
  /\b(?:can|could|would|will) (?:you|u)\b|\b(?:show|tell|give|help|remind|let|walk) (?:me|us)\b|\b(?:kannst|könntest|würdest) du\b|\b(?:können|könnten|würden) Sie\b|\b(?:zeig|sag|gib|hilf|erklär)e? mir\b|\b(?:peux|pourrais)[- ]tu\b|\b(?:pouvez|pourriez)[- ]vous\b|\b(?:dis|montre|aide|donne|explique)[- ]moi\b/giu;

/** "I" and "you" and theirs, in the languages that are spoken most, where no other has the word. */
const FIRST =
  "i|me|my|mine|myself|ich|mich|mir|mein(?:e[mnrs]?)?|j(?=['’]\\p{L})|je|moi|mon|mes|yo|mis?|mío|mía|mia|miei|mio|meus?|minhas?|ik|mij|mijn|mój|moja|moje|mnie|я|мой|моя|моё|мои|мне|меня";
const SECOND =
  "you|yours?|du|dich|dir|dein(?:e[mnrs]?)?|tu|toi|tes|vous|vos|votre|usted|tus|tú|tuo|tua|você|teu|jij|jouw|twój|twoja|ты|твой|вы|ваш";
const PERSON = new RegExp(
  `(?<![\\p{L}\\p{N}_.])(?:(${FIRST})|(?:${SECOND}))(?![\\p{L}\\p{N}_])`,
  "iu",
);
/** "I/O", "my.cnf" */
const ABBREVIATION = /\bi\/o\b|(?<![\p{L}_])[\p{L}_]+[._][\p{L}_]+[\p{L}\p{N}._]*/giu;
const UNSPACED = /(我|私|僕|俺)|你|あなた/u;

/**
 * Whether who asks means what was said by people like oneself: "How many columns did I want?" A
 * question is about the one whom it names first.
 */
export function isAboutOneself(query: string): boolean {
  const asked = query.replace(REQUESTS, " ").replace(ABBREVIATION, " ");
  return (PERSON.exec(asked) ?? UNSPACED.exec(asked))?.[1] !== undefined;
}

/** What an answer of an assistant loses beside what the person said whom the question is about. */
const LOSS = 1;
/** It goes on being found where nothing else is. */
const MOST_OF_IT = 0.5;

/** Who asks of oneself means one's own words: what an assistant answered to them is not those. */
export function quietenAnswers(
  episodes: ReadonlyMap<number, Activation>,
  answers: ReadonlySet<number>,
): void {
  for (const number of answers) {
    const parts = episodes.get(number);
    if (parts === undefined) continue;
    parts.voice = -Math.min(LOSS, MOST_OF_IT * Math.max(0, activationOf(parts)));
  }
}
