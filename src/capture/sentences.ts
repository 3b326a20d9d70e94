/** Shorter is a word of agreement, longer is not one statement any more; characters. */
const SHORTEST = 12;
const LONGEST = 400;

/** The sentences of prose: without code blocks, quotes, tables, headings and marks of lists. */
export function sentencesOf(text: string): string[] {
  const prose = text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, "\n")
    // What clients put around a message: reminders, contexts, pasted output.
    .replaceAll(/<([a-z][\w-]*)(?:\s[^<>]*)?>[\s\S]*?<\/\1>/gi, "\n");
  return prose
    .split("\n")
    .filter((line) => !/^\s*(?:[>|#]|at\s|\d+[:|])/.test(line))
    .map((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, "").replaceAll(/\*\*|__/g, ""))
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=\p{Lu}|["'`(])/u))
    .map((sentence) => withoutStrayQuote(sentence.replaceAll(/\s+/g, " ").trim()))
    .filter(({ length }) => length >= SHORTEST && length <= LONGEST);
}

/**
 * Clients put what was typed into quotation marks, which the first and the last sentence then have
 * without their partner.
 */
function withoutStrayQuote(sentence: string): string {
  if ((sentence.match(/"/g) ?? []).length % 2 === 0) return sentence;
  if (sentence.startsWith('"')) return sentence.slice(1);
  return sentence.replace(/"([.!?]?)$/, "$1");
}
