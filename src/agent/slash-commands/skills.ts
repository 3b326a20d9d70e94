import { relative } from "node:path";
import { loadSkills } from "../files/load-skills.ts";
import type { SlashCommand } from "../ports/slash-command.ts";

export const skills: SlashCommand = {
  name: "skills",
  summary: "List the skills that the agent can read",
  async run(context) {
    const loaded = await loadSkills(context);
    const lines = loaded.skills.map((skill) => {
      const path = skill.source === "user" ? skill.path : relative(context.projectRoot, skill.path);
      return `${skill.name}: ${skill.description} (${path})`;
    });
    if (lines.length === 0) {
      context.dialogue.info("There are no skills yet. /create-skill has the agent write one.");
    } else context.dialogue.print(lines.join("\n"));
    for (const warning of loaded.warnings) context.dialogue.info(warning);
  },
};
