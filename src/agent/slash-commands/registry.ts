import { clear } from "./clear.ts";
import { handover } from "./handover.ts";
import { helpCommand } from "./help.ts";
import { model } from "./model.ts";
import { resume } from "./resume.ts";
import { sessions } from "./sessions.ts";
import { skills } from "./skills.ts";
import type { SlashCommand } from "./slash-command.ts";

/** Every built-in command, in the order of `/help`. */
export const slashCommands: readonly SlashCommand[] = [
  helpCommand(() => slashCommands),
  clear,
  model,
  handover,
  skills,
  sessions,
  resume,
];
