export class TextWidths {
  readonly #known = new Map<string, number>();
  readonly #context: CanvasRenderingContext2D | null;

  constructor(font: string) {
    this.#context = document.createElement("canvas").getContext("2d");
    if (this.#context !== null) this.#context.font = font;
  }

  of(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const width = this.#context?.measureText(text).width ?? text.length * 7;
    this.#known.set(text, width);
    return width;
  }
}
