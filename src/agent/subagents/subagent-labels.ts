export class SubagentLabels {
  readonly #used = new Set<string>();

  take(name: string): string {
    for (let number = 1; ; number += 1) {
      const label = number === 1 ? `[${name}]` : `[${name} ${number}]`;
      if (this.#used.has(label)) continue;
      this.#used.add(label);
      return label;
    }
  }

  giveBack(label: string): void {
    this.#used.delete(label);
  }
}
