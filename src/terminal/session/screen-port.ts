import type { Action } from "../state/reduce.ts";
import type { NoteTone, Screen } from "../state/screen.ts";
import type { Connection } from "./connection.ts";

/** The screen and what is behind it, for what works on both. */
export interface ScreenPort {
  readonly screen: Screen;
  /** Undefined until everything behind the screen is open. */
  readonly connection: Connection | undefined;
  dispatch(action: Action): void;
  note(tone: NoteTone, text: string): void;
  /** Takes another screen, at once. */
  show(screen: Screen): void;
}
