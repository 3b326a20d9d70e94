/** A statement and the words that set it apart, for comparing it with others. */
export interface Statement {
  readonly id: number;
  readonly text: string;
}

/**
 * The statements in the order of their closeness to `text`, the newest first among equals. Words
 * count by how rare they are among the statements: what all say of one thing (its name, the verb
 * that a template repeats) tells none of them from another. The weight of a word is
 * ln(1 + n / n(word)), as an inverse document frequency; closeness is the weight of the common words
 * over that of all words of both (weighted Jaccard similarity), 0..1.
 */
export function rankByCloseness<Item extends Statement>(
  text: string,
  statements: readonly Item[],
): Item[] {
  return new ClosenessRanking().rank(text, statements);
}

/** The same for several texts among the same statements, each of which is read once. */
export class ClosenessRanking {
  readonly #words = new Map<string, ReadonlySet<string>>();

  rank<Item extends Statement>(text: string, statements: readonly Item[]): Item[] {
    return rankByWords(
      this.#wordsOf(text),
      statements.map((statement) => ({ statement, words: this.#wordsOf(statement.text) })),
    );
  }

  #wordsOf(text: string): ReadonlySet<string> {
    const words = this.#words.get(text) ?? wordsOf(text);
    this.#words.set(text, words);
    return words;
  }
}

function rankByWords<Item extends Statement>(
  asked: ReadonlySet<string>,
  others: readonly { readonly statement: Item; readonly words: ReadonlySet<string> }[],
): Item[] {
  const counts = new Map<string, number>();
  for (const { words } of [...others, { words: asked }]) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const total = others.length + 1;
  const weights = new Map(
    Array.from(counts, ([word, count]) => [word, Math.log(1 + total / count)]),
  );
  let ofAsked = 0;
  for (const word of asked) ofAsked += weights.get(word) ?? 0;
  return others
    .map(({ statement, words }) => {
      let [common, own] = [0, 0];
      for (const word of words) {
        const weight = weights.get(word) ?? 0;
        own += weight;
        if (asked.has(word)) common += weight;
      }
      const all = ofAsked + own - common;
      return { statement, closeness: all === 0 ? 0 : common / all };
    })
    .sort((a, b) => b.closeness - a.closeness || b.statement.id - a.statement.id)
    .map(({ statement }) => statement);
}

/** Letters of a word that are compared: most endings lie beyond them. */
const STEM = 6;

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return new Set(words.map((word) => (/\p{N}/u.test(word) ? word : word.slice(0, STEM))));
}
