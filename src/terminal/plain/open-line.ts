import { splitIncompleteControl, stripControl } from "../../shared/text.ts";

/** Text that comes in pieces, on a line that is ended before anything else is told. */
export class OpenLine {
  readonly #out: (text: string) => void;
  /** The beginning of a control sequence whose end has not come. */
  #carry = "";
  #isOpen = false;

  constructor(out: (text: string) => void) {
    this.#out = out;
  }

  add(added: string): void {
    const split = splitIncompleteControl(this.#carry + added);
    this.#carry = split.rest;
    this.#write(split.ready);
  }

  end(): void {
    this.#write(this.#carry);
    this.#carry = "";
    if (this.#isOpen) this.#out("\n");
    this.#isOpen = false;
  }

  #write(raw: string): void {
    const safe = stripControl(raw);
    if (safe === "") return;
    this.#out(safe);
    this.#isOpen = !safe.endsWith("\n");
  }
}
