import type { CommandHelp } from "../../agent/index.ts";
import type { Theme } from "../theme/themes.ts";
import type { Models } from "./models.ts";
import type { OwnQuestions } from "./own-questions.ts";
import type { ScreenPort } from "./screen-port.ts";
import type { Sessions } from "./sessions.ts";
import type { Theming } from "./theming.ts";

/** A sitting at the terminal as its commands, the set-up and the mailbox see it. */
export interface SessionPort extends ScreenPort {
  readonly sessions: Sessions;
  /** Asked over the screen itself. */
  readonly questions: OwnQuestions;
  readonly theming: Theming;
  readonly models: Models;
  changeTheme(theme: Theme): Promise<string | undefined>;
  /** Everything that can be typed after a slash, by name. */
  readonly commands: readonly CommandHelp[];
  connect(): Promise<void>;
  /** False where this start has no set-up. */
  runSetup(): Promise<boolean>;
  /** Puts texts that could not be sent back into the input. */
  giveBack(texts: readonly string[]): void;
  leave(): void;
}

/** Asks for a provider and writes the config. */
export type Setup = (session: SessionPort) => Promise<void>;
