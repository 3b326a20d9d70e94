import type { SlashCommand } from "../ports/slash-command.ts";

/** Whether a reply leaves the flow that waits for it: the one command that is no reply. */
export function isPlanExit(text: string): boolean {
  return /^\s*\/plan\s+exit\s*$/i.test(text);
}

/** Typed where no plan is being discussed; within a discussion it is read by the flow itself. */
export const planExit: SlashCommand = {
  name: "plan exit",
  exact: true,
  summary: "Leave the discussion of a plan",
  async run({ dialogue }) {
    dialogue.info("No plan is being discussed.");
  },
};
