import { isNumber, type Wordings } from "../learned/wording.ts";

/**
 * Words that say when or how surely something holds: two statements that differ in one of them do not say
 * the same, in whatever language.
 */
const CONDITIONS = new Set(
  (
    "may might could can should sometimes often usually unless except until only if when where before after first last all every some most " +
    "kann können könnte darf dürfen sollte manchmal oft meist wenn falls außer bis nur bevor nachdem erst alle jede manche " +
    "peut peuvent pourrait parfois souvent si sauf quand lorsque seulement avant après tous chaque " +
    "puede pueden podría a veces si salvo cuando solo sólo antes después todos cada " +
    "può possono potrebbe talvolta se tranne quando solo prima dopo tutti ogni " +
    "podem poderia às vezes exceto só antes depois todos " +
    "mag kan kunnen soms als tenzij behalve wanneer alleen voordat nadat alle elke " +
    "może mogą czasem jeśli chyba kiedy tylko oprócz przed po wszystkie każdy " +
    "可以 如果 除非 只 有时 たら なら 場合 だけ こともある"
  ).split(" "),
);

/** What a statement says, in words that can be held against those of another. */
export class Words {
  readonly affirmed: ReadonlySet<string>;
  readonly #rejected: string;
  readonly #inOrder: string;
  readonly #conditions: string;
  readonly #numbers: string;

  constructor(text: string, wordings: Wordings) {
    const { affirmed, rejected } = wordings.of(text);
    this.affirmed = affirmed;
    this.#rejected = [...rejected].sort().join(" ");
    this.#inOrder = wordings
      .words(text)
      .filter((word) => affirmed.has(word))
      .join(" ");
    this.#conditions = wordings
      .all(text)
      .filter((word) => CONDITIONS.has(word))
      .sort()
      .join(" ");
    this.#numbers = [...affirmed].filter(isNumber).sort().join(" ");
  }

  equals(other: Words): boolean {
    return this.#inOrder === other.#inOrder && this.#agreesWith(other) && this.#inOrder !== "";
  }

  /** Share of the words of both that both affirm, 0..1; 0 where they reject or count otherwise. */
  nearnessTo(other: Words): number {
    if (!this.#agreesWith(other)) return 0;
    const shared = [...this.affirmed].filter((word) => other.affirmed.has(word)).length;
    return shared / Math.max(1, new Set([...this.affirmed, ...other.affirmed]).size);
  }

  #agreesWith(other: Words): boolean {
    return (
      this.#rejected === other.#rejected &&
      this.#conditions === other.#conditions &&
      this.#numbers === other.#numbers
    );
  }
}
