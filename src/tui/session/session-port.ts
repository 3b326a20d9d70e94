import type { Choice, CommandHelp, ThreadInfo } from "../../agent/index.ts";
import type { Action } from "../state/reduce.ts";
import type { NoteTone, Screen } from "../state/screen.ts";
import type { Connection } from "./connection.ts";

/** A sitting at the terminal as its commands, the set-up and the mailbox see it. */
export interface SessionPort {
  readonly screen: Screen;
  /** Undefined until everything behind the screen is open. */
  readonly connection: Connection | undefined;
  /** Earlier conversations, latest first. */
  readonly sessions: readonly ThreadInfo[];
  /** Everything that can be typed after a slash, by name. */
  readonly commands: readonly CommandHelp[];
  dispatch(action: Action): void;
  note(tone: NoteTone, text: string): void;
  /** Asks over the screen itself; undefined when the person left the question. */
  ask(question: string, choices: readonly Choice[]): Promise<string | undefined>;
  /** Like `ask`, for what nobody else may read; Enter alone answers with "" where it is optional. */
  askSecret(question: string, isOptional?: boolean): Promise<string | undefined>;
  /** Opens the host anew, as after the set-up changed the config. */
  connect(): Promise<void>;
  /** Shows another thread, by its id or the beginning of it, and goes on with it. Throws not_found. */
  resume(wanted: string): Promise<void>;
  pickSession(): void;
  /** False where this start has no set-up. */
  runSetup(): Promise<boolean>;
  /** Puts texts that could not be sent back into the input. */
  giveBack(texts: readonly string[]): void;
  leave(): void;
}

/** Asks for a provider and writes the config. */
export type Setup = (session: SessionPort) => Promise<void>;
