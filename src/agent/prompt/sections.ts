import { isAbsolute, relative } from "node:path";
import { shortenLine } from "../../shared/text.ts";
import type { Skill } from "../files/load-skills.ts";
import type { Subagent } from "../subagents/subagent.ts";

/** A skill's or subagent's description is one line of the prompt; characters. */
const MAX_DESCRIPTION = 1024;

export interface ToolSummary {
  readonly name: string;
}

/** Their names alone: what they do stands in their schemas, which the model gets beside this. */
export function toolsSection(tools: readonly ToolSummary[]): string {
  if (tools.length === 0) return "# Tools\n\nNo tools are available. Answer from the conversation.";
  return `# Tools\n\nYou have ${tools.map(({ name }) => `\`${name}\``).join(", ")}, and no other tools.`;
}

export function skillsSection(skills: readonly Skill[], projectRoot: string): string {
  if (skills.length === 0) return "";
  const lines = skills.map(
    (skill) =>
      `- ${shortenLine(skill.name, MAX_DESCRIPTION)}: ${shortenLine(skill.description, MAX_DESCRIPTION)} (${shown(skill.path, projectRoot)})`,
  );
  return `# Skills\n\nEach file contains instructions for one kind of task. If a task matches a description, read the file first and follow it.\n\n${lines.join("\n")}`;
}

export function subagentsSection(subagents: readonly Subagent[]): string {
  if (subagents.length === 0) return "";
  const lines = subagents.map(
    (subagent) =>
      `- \`${subagent.id}\`${nameOf(subagent)}: ${shortenLine(subagent.description, MAX_DESCRIPTION)}`,
  );
  return `# Subagents\n\nFor the \`subagent\` tool. Delegate wide searches of which you need only the result; several in one step run in parallel.\n\n${lines.join("\n")}`;
}

function nameOf({ id, name }: Subagent): string {
  return name === id ? "" : ` (${shortenLine(name, MAX_DESCRIPTION)})`;
}

/** Relative to the project when it lies in it. */
function shown(path: string, projectRoot: string): string {
  const way = relative(projectRoot, path);
  return way.startsWith("..") || isAbsolute(way) ? path : way;
}
