/** How much of the context window the last request took. */
export class ContextGauge {
  /** Tokens; undefined when unknown, then nothing is ever full. */
  window: number | undefined;
  private used = 0;

  record(usage: { readonly inputTokens: number; readonly outputTokens: number }): void {
    this.used = usage.inputTokens + usage.outputTokens;
  }

  reset(): void {
    this.used = 0;
  }

  /** 0..1, or undefined when the window is unknown. */
  get share(): number | undefined {
    return this.window === undefined ? undefined : Math.min(1, this.used / this.window);
  }

  isFull(threshold: number): boolean {
    return this.share !== undefined && this.share >= threshold;
  }
}
