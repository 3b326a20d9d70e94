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
  const asked = wordsOf(text);
  const others = statements.map((statement) => ({ statement, words: wordsOf(statement.text) }));
  const counts = new Map<string, number>();
  for (const { words } of [...others, { words: asked }]) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const total = others.length + 1;
  const weigh = (words: Iterable<string>) => {
    let weight = 0;
    for (const word of words) weight += Math.log(1 + total / (counts.get(word) ?? 1));
    return weight;
  };
  const ofAsked = weigh(asked);
  return others
    .map(({ statement, words }) => {
      const common = weigh([...words].filter((word) => asked.has(word)));
      const all = ofAsked + weigh(words) - common;
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
