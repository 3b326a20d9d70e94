import type { Screen } from "../state/screen.ts";
import type { Store } from "./store.ts";

/** A run that took longer may have lost its person to another window; milliseconds. */
const LONG_RUN_MS = 10_000;
const BELL = "\x07";

export interface AttentionOptions {
  readonly store: Store<Screen>;
  /** What is at work, for the title: the project's name. */
  readonly name: string;
  readonly write: (text: string) => void;
}

/**
 * Says in the terminal's title what goes on, and rings when it is the person's turn: when something
 * is asked during a run, and when a long run ends. Returns the way back.
 */
export function callForAttention({ store, name, write }: AttentionOptions): () => void {
  let title = "";
  let { run: before, prompt: asked } = store.get();
  const look = () => {
    const { run, prompt } = store.get();
    const now = prompt === undefined ? (run === undefined ? name : `● ${name}`) : `? ${name}`;
    if (now !== title) write(titled(now));
    title = now;
    const isAsked = prompt !== undefined && asked === undefined && before !== undefined;
    const isDone = run === undefined && before !== undefined;
    const wasLong = before !== undefined && Date.now() - before.startedAt > LONG_RUN_MS;
    if (isAsked || (isDone && wasLong)) write(BELL);
    before = run;
    asked = prompt;
  };
  write(KEEP_TITLE);
  look();
  const leave = store.subscribe(look);
  return () => {
    leave();
    write(RESTORE_TITLE);
  };
}

/** The terminal's own stack of titles (XTWINOPS 22 and 23). */
const KEEP_TITLE = "\x1b[22;0t";
const RESTORE_TITLE = "\x1b[23;0t";

function titled(text: string): string {
  return `\x1b]0;${text.replace(/[\x00-\x1f\x7f-\x9f]/g, "")}${BELL}`;
}
