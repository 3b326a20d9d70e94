import { join } from "node:path";
import type { SlashCommand } from "../ports/slash-command.ts";
import { skillGuide } from "./create-skill.prompt.ts";
import { draftDocument } from "./draft-document.ts";

export const createSkill: SlashCommand = {
  name: "create-skill",
  argument: { name: "what for" },
  summary: "Draft a skill, and save it in .cairn/skills",
  run: (context, args) =>
    draftDocument(
      context,
      {
        noun: "skill",
        guide: skillGuide,
        pathFor: (root, name) => join(root, ".cairn", "skills", name, "SKILL.md"),
      },
      args,
    ),
};
