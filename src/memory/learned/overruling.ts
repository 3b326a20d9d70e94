import { compareClaims } from "./compare-claims.ts";
import { type Wording, Wordings } from "./wording.ts";

/** Something that a layer says holds. */
export interface LayerClaim {
  /** Of its episode. */
  readonly id: string;
  readonly layer: string;
  readonly text: string;
  readonly type: string;
  readonly entities: readonly string[];
  readonly score: number;
}

/** Share of common entities from which two claims are about the same, as in a cluster of facts. */
const SAME_ENTITIES = 0.5;
/** Words in a row in which two sentences of one form differ, at most. */
const VALUE = 3;

/** Whether two claims give the same thing different values, by their entities and words. */
export class Overruling {
  readonly #wordings = new Wordings();
  readonly #read = new Map<string, Wording>();
  readonly #split = new Map<string, readonly string[]>();

  saysOtherwise(nearer: LayerClaim, farther: LayerClaim): boolean {
    if (nearer.text === farther.text || !areAboutTheSame(nearer.entities, farther.entities)) {
      return false;
    }
    const { relation } = compareClaims(
      {
        wording: this.#of(nearer.text),
        corrects: false,
        retracts: false,
        ends: false,
        amends: false,
        type: nearer.type,
      },
      { wording: this.#of(farther.text), type: farther.type, wasShown: false },
    );
    if (relation !== "none") return relation !== "same";
    return this.#differInTheValue(nearer.text, farther.text);
  }

  /** "Deploys are on Fridays", "Deploys are on Mondays" */
  #differInTheValue(nearer: string, farther: string): boolean {
    const [a, b] = [this.#wordsOf(nearer), this.#wordsOf(farther)];
    const shorter = Math.min(a.length, b.length);
    const begin = lengthOfCommon(a, b, shorter);
    const end = lengthOfCommon(a.toReversed(), b.toReversed(), shorter - begin);
    const values = [a, b].map((words) => words.slice(begin, words.length - end));
    if (values.some(({ length }) => length === 0 || length > VALUE)) return false;
    const form = [...a.slice(0, begin), ...a.slice(a.length - end)];
    if (form.length < values.flat().length) return false;
    return this.#wordings.words(form.join(" ")).length > 0;
  }

  #wordsOf(text: string): readonly string[] {
    const words = this.#split.get(text) ?? this.#wordings.all(text);
    this.#split.set(text, words);
    return words;
  }

  #of(text: string): Wording {
    const wording = this.#read.get(text) ?? this.#wordings.of(text);
    this.#read.set(text, wording);
    return wording;
  }
}

function lengthOfCommon(a: readonly string[], b: readonly string[], most: number): number {
  let length = 0;
  while (length < most && a[length] === b[length]) length += 1;
  return length;
}

function areAboutTheSame(nearer: readonly string[], farther: readonly string[]): boolean {
  if (nearer.length === 0 && farther.length === 0) return true;
  const common = nearer.filter((name) => farther.includes(name)).length;
  return common / new Set([...nearer, ...farther]).size >= SAME_ENTITIES;
}
