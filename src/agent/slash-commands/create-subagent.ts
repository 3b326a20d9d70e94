import { join } from "node:path";
import type { SlashCommand } from "../ports/slash-command.ts";
import { subagentGuide } from "./create-skill.prompt.ts";
import { draftDocument } from "./draft-document.ts";

export const createSubagent: SlashCommand = {
  name: "create-subagent",
  argument: { name: "what for" },
  summary: "Draft a subagent, and save it in .cairn/subagents",
  run: (context, args) =>
    draftDocument(
      context,
      {
        noun: "subagent",
        guide: subagentGuide,
        pathFor: (root, name) => join(root, ".cairn", "subagents", `${name}.md`),
      },
      args,
    ),
};
