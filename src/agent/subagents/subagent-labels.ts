export class SubagentLabels {
  readonly #taken = new Set<string>();

  take(name: string): string {
    for (let number = 1; ; number += 1) {
      const label = number === 1 ? `[${name}]` : `[${name} ${number}]`;
      if (this.#taken.has(label)) continue;
      this.#taken.add(label);
      return label;
    }
  }

  giveBack(label: string): void {
    this.#taken.delete(label);
  }
}
