import { isNumber, type Wording } from "./wording.ts";

/**
 * What holds after "30 seconds, not 10" was said to it: the old statement with the one in place of
 * the other. Undefined where that is not to be told for sure.
 */
export function amended(statement: string, said: string, wording: Wording): string | undefined {
  const rejected = [...wording.rejected];
  const numbers = [...wording.affirmed].filter(isNumber);
  const [holds] = numbers.length === 1 ? numbers : [...wording.affirmed];
  const [former, second] = rejected;
  if (holds === undefined || former === undefined || second !== undefined) return undefined;
  const [was, is] = [asWritten(statement, former), asWritten(said, holds)];
  if (was === undefined || is === undefined) return undefined;
  const parts = statement.split(was.pattern);
  return parts.length === 2 ? parts.join(is.word) : undefined;
}

/** A word as a text has it, by the beginning that is compared; undefined where it is not one word. */
function asWritten(text: string, word: string): { word: string; pattern: RegExp } | undefined {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const source = `(?<![\\p{L}\\p{N}])${escaped}${isNumber(word) ? "" : "[\\p{L}]{0,3}"}(?![\\p{L}\\p{N}])`;
  const found = new RegExp(source, "iu").exec(text)?.[0];
  return found === undefined ? undefined : { word: found, pattern: new RegExp(source, "giu") };
}
