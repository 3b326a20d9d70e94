/** Characters of output that are kept; a test run's verdict is at its end. */
const KEPT = 32 * 1024;

/** The last part of a text that comes in pieces. */
export class OutputTail {
  private kept = "";
  private dropped = 0;

  add(text: string): void {
    this.kept += text;
    // Cut only now and then, so that many small pieces do not copy the whole each time.
    if (this.kept.length > 2 * KEPT) this.cut();
  }

  text(): string {
    this.cut();
    const note = this.dropped === 0 ? "" : `[${this.dropped} characters before this left out]\n`;
    return note + this.kept.trimEnd();
  }

  private cut(): void {
    const surplus = this.kept.length - KEPT;
    if (surplus <= 0) return;
    this.dropped += surplus;
    this.kept = this.kept.slice(surplus);
  }
}
