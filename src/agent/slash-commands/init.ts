import { access } from "node:fs/promises";
import { join } from "node:path";
import type { SlashCommand } from "../ports/slash-command.ts";

const writeAgentsFile = `This project has no AGENTS.md. Look around, then write one at its root with \`write\`.

It tells an agent that comes here for the first time what cannot be seen at a glance: what the project is, how it is built, tested and run (the exact commands; try them where that is cheap), how the code is laid out, the conventions that its code really follows, and traps. At most a page, no advice that would hold for any project, nothing that you have not seen.

End with one sentence that says what you wrote.`;

export const init: SlashCommand = {
  name: "init",
  summary: "Reload instructions; write AGENTS.md if missing",
  async run({ thread, dialogue, projectRoot, signal }) {
    await thread.reloadSystemPrompt();
    const agentsFile = join(projectRoot, "AGENTS.md");
    if (await exists(agentsFile)) {
      dialogue.success("Instructions reloaded.");
      return;
    }
    const turn = await thread.runTurn(writeAgentsFile, { consents: [agentsFile] });
    signal.throwIfAborted();
    if (turn.outcome !== "completed") return;
    if (!(await exists(agentsFile))) {
      dialogue.error("The agent did not write AGENTS.md.", "not_found");
      return;
    }
    await thread.reloadSystemPrompt();
    dialogue.success("AGENTS.md written and loaded.");
  },
};

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
