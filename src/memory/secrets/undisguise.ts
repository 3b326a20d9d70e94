/** A text as it is meant, with the place in the original for each of its UTF-16 code units. */
export interface Undisguised {
  readonly text: string;
  /** Where the part of the original begins, and where it ends, that a code unit stands for. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;

/**
 * Takes out characters that nobody sees and turns full-width and other dressed up letters into plain
 * ones: what hides a token from a pattern hides it from nobody who copies it. Undefined: it is so.
 */
export function undisguise(original: string): Undisguised | undefined {
  if (original.normalize("NFKC") === original && !UNSEEN.test(original)) return undefined;
  let text = "";
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of original) {
    const end = at + character.length;
    const plain = UNSEEN.test(character) ? "" : character.normalize("NFKC");
    for (let unit = 0; unit < plain.length; unit += 1) {
      starts.push(at);
      ends.push(end);
    }
    text += plain;
    at = end;
  }
  return text === original ? undefined : { text, starts, ends };
}
