import { type Signal, signal } from "@preact/signals";

/** Milliseconds; long enough to read a toast and reach it by keyboard. */
const SHOWN_FOR = 10_000;

export interface Toast {
  readonly number: number;
  readonly text: string;
  readonly isError: boolean;
  readonly changes: readonly string[];
}

/** Short notifications about completed actions. */
export class Toasts {
  readonly shown: Signal<readonly Toast[]> = signal([]);
  #count = 0;

  tell(text: string, changes: readonly string[] = []): void {
    this.#add({ text, changes, isError: false });
  }

  /** Errors stay until they are dismissed. */
  showError(text: string): void {
    this.#add({ text, changes: [], isError: true });
  }

  dismiss(number: number): void {
    this.shown.value = this.shown.peek().filter((toast) => toast.number !== number);
  }

  #add(toast: Omit<Toast, "number">): void {
    this.#count += 1;
    const number = this.#count;
    this.shown.value = [...this.shown.peek().slice(-2), { ...toast, number }];
    if (!toast.isError) setTimeout(() => this.dismiss(number), SHOWN_FOR);
  }
}
