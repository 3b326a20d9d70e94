/** Longer is not one statement any more; characters. */
const LONGEST = 600;

/** A sentence of prose with whether it goes on with the one before, in one paragraph. */
export interface Sentence {
  readonly text: string;
  /** As it stands in the passage, for a quotation. */
  readonly quotation: string;
}

/** The sentences of prose: without code blocks, quoted lines, tables, headings and marks of lists. */
export function sentencesOf(text: string): Sentence[] {
  const prose = text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, "\n")
    // What clients put around a message: reminders, contexts, pasted output.
    .replaceAll(/<([a-z][\w-]*)(?:\s[^<>]*)?>[\s\S]*?<\/\1>/gi, "\n");
  return prose
    .split("\n")
    .filter((line) => !/^\s*(?:[>|#]|at\s|\d+[:|])/.test(line))
    .map((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, ""))
    .flatMap(partLine)
    .map((quotation) => quotation.trim())
    .map((quotation) => ({
      quotation,
      text: withoutStrayQuote(
        quotation
          .replaceAll(/\*\*|__/g, "")
          .replaceAll(/\s+/g, " ")
          .trim(),
      ),
    }))
    .filter(({ text: said }) => isLongEnough(said) && said.length <= LONGEST);
}

function partLine(line: string): string[] {
  return line
    .split(
      /(?<=[.!?…]["'”’)*]*)\s+(?=["'“‘`(*¿¡]*[\p{Lu}\p{N}¿¡])|(?<=[。！？]["」』）]*)(?!["」』）])/u,
    )
    .filter((part) => part !== "");
}

/** A word of agreement is shorter; where words are not parted, a few characters say a lot. */
function isLongEnough(text: string): boolean {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return text.length + dense * 2 >= 12;
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
