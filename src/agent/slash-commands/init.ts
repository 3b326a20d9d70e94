import { access } from "node:fs/promises";
import { join } from "node:path";
import type { SlashCommand } from "../ports/slash-command.ts";
import { writeAgentsFile } from "./init.prompt.ts";

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
