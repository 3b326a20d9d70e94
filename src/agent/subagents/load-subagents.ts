import { join } from "node:path";
import { messageOf } from "../../shared/errors.ts";
import type { AgentPaths } from "../agent-paths.ts";
import { readFrontmatter, textField } from "../documents/frontmatter.ts";
import { listMarkdownFiles, parseFileName } from "../documents/list-markdown-files.ts";
import { readTextFile } from "../documents/read-text-file.ts";
import type { AgentSettings } from "../settings.ts";
import { READ_ONLY_TOOLS } from "../tools/read-only-tools.ts";
import type { Subagent } from "./subagent.ts";

const BUILT_IN_SUBAGENTS: readonly Subagent[] = [
  {
    id: "explore",
    name: "explore",
    description: "answers a question about the project; read-only",
    role: `You explore a project for another agent, which sees only your final message.

Read widely in few steps: make independent calls in parallel. Trace the code from entry point to answer, and read every line that you cite. State the answer first, then the evidence as \`path:line\`. Report what you searched for but did not find. You cannot change anything. Propose changes only if asked.`,
    tools: READ_ONLY_TOOLS,
    keepsFindings: true,
  },
  {
    id: "general",
    name: "general",
    description: "completes a self-contained task with all tools, such as one of several parts",
    role: "You are cairn, a coding agent. Another agent has delegated a task to you. Complete it and do nothing else. Report what you changed, where, how you verified it and what is open.",
  },
  {
    id: "review",
    name: "review",
    description: "finds defects in a change or in files",
    role: `You review a change for another agent, which sees only your final message.

Read the diff with git, then the surrounding code and its callers. Call \`recall\` for decisions and earlier mistakes about these files. Report defects, most severe first: \`path:line\`, what happens, under which condition, and how to fix it. Verify each defect by reading or running code. Omit suspicions, style preferences and praise. If there are no defects, say so in one sentence. Do not change files.`,
    tools: [...READ_ONLY_TOOLS, "shell", "shell_status"],
  },
];

const MAX_SUBAGENT_BYTES = 64 * 1024;

export interface LoadedSubagents {
  readonly subagents: readonly Subagent[];
  readonly warnings: readonly string[];
}

export interface SubagentPaths extends AgentPaths {
  readonly settings: Pick<AgentSettings, "subagent">;
}

/** Subagents of the project, the user, then built-in ones; the first of an id wins. */
export async function loadSubagents(locations: SubagentPaths): Promise<LoadedSubagents> {
  const subagents = new Map<string, Subagent>();
  const warnings: string[] = [];
  const inProject = await listMarkdownFiles(join(locations.projectRoot, ".cairn", "subagents"));
  const ofUser = await listMarkdownFiles(join(locations.userConfigDir, "subagents"));
  for (const path of [...inProject, ...ofUser]) {
    const within = inProject.includes(path) ? locations.projectRoot : undefined;
    const read = await readSubagent(path, within);
    if (typeof read === "string") warnings.push(read);
    else if (!subagents.has(read.id)) subagents.set(read.id, read);
  }
  for (const builtIn of BUILT_IN_SUBAGENTS) {
    if (!subagents.has(builtIn.id)) subagents.set(builtIn.id, builtIn);
  }
  return { subagents: [...subagents.values()], warnings };
}

/** By id or name, case-insensitive. */
export function findSubagent(subagents: readonly Subagent[], id: string): Subagent | undefined {
  const requested = id.trim().toLowerCase();
  return (
    subagents.find((subagent) => subagent.id.toLowerCase() === requested) ??
    subagents.find((subagent) => subagent.name.toLowerCase() === requested)
  );
}

async function readSubagent(path: string, within: string | undefined): Promise<Subagent | string> {
  const limits = { maxBytes: MAX_SUBAGENT_BYTES };
  const file = await readTextFile(path, within === undefined ? limits : { ...limits, within });
  const leftOut = (reason: string) => `The subagent ${path} was ignored: ${reason}.`;
  if (file.kind === "missing") return leftOut("the file does not exist");
  if (file.kind === "refused") return leftOut(file.reason);
  if (file.truncated) return leftOut(`it is larger than ${MAX_SUBAGENT_BYTES} bytes`);
  try {
    const document = readFrontmatter(file.text);
    if (document === undefined) return leftOut("it has no frontmatter");
    const description = textField(document, "description");
    if (description === undefined) return leftOut("its frontmatter has no description");
    if (document.body === "") return leftOut("it has no text below its frontmatter");
    const id = parseFileName(path);
    const name = textField(document, "name") ?? id;
    const isolated = textField(document, "worktree")?.toLowerCase() === "true";
    return { id, name, description, role: document.body, ...(isolated && { worktree: true }) };
  } catch (error) {
    return leftOut(messageOf(error));
  }
}
