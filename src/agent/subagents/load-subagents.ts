import { join } from "node:path";
import { messageOf } from "../../shared/errors.ts";
import { readFrontmatter, textField } from "../documents/frontmatter.ts";
import { listMarkdownFiles, nameOfMarkdownFile } from "../documents/list-markdown-files.ts";
import { readTextFile } from "../documents/read-text-file.ts";
import type { AgentPlaces } from "../places.ts";
import type { AgentSettings } from "../settings.ts";
import { BUILT_IN_SUBAGENTS } from "./built-in-subagents.ts";
import type { Subagent } from "./subagent.ts";

const MAX_SUBAGENT_BYTES = 64 * 1024;

export interface LoadedSubagents {
  readonly subagents: readonly Subagent[];
  /** One sentence for each file that was left out, naming it. */
  readonly warnings: readonly string[];
}

export interface SubagentPlaces extends AgentPlaces {
  readonly settings: Pick<AgentSettings, "subagent">;
}

/**
 * Subagents of the project, then of the user, then those that everybody has; the first of an id wins.
 * Creates nothing.
 */
export async function loadSubagents(places: SubagentPlaces): Promise<LoadedSubagents> {
  const subagents = new Map<string, Subagent>();
  const warnings: string[] = [];
  const inProject = await listMarkdownFiles(join(places.projectRoot, ".cairn", "subagents"));
  const ofUser = await listMarkdownFiles(join(places.userConfigDir, "subagents"));
  for (const path of [...inProject, ...ofUser]) {
    const within = inProject.includes(path) ? places.projectRoot : undefined;
    const read = await readSubagent(path, within);
    if (typeof read === "string") warnings.push(read);
    else if (!subagents.has(read.id)) subagents.set(read.id, read);
  }
  for (const builtIn of places.settings.subagent.builtIn ? BUILT_IN_SUBAGENTS : []) {
    if (!subagents.has(builtIn.id)) subagents.set(builtIn.id, builtIn);
  }
  return { subagents: [...subagents.values()], warnings };
}

/** By id or by name, without regard to case. */
export function findSubagent(subagents: readonly Subagent[], id: string): Subagent | undefined {
  const wanted = id.trim().toLowerCase();
  return (
    subagents.find((subagent) => subagent.id.toLowerCase() === wanted) ??
    subagents.find((subagent) => subagent.name.toLowerCase() === wanted)
  );
}

async function readSubagent(path: string, within: string | undefined): Promise<Subagent | string> {
  const limits = { maxBytes: MAX_SUBAGENT_BYTES };
  const file = await readTextFile(path, within === undefined ? limits : { ...limits, within });
  const leftOut = (reason: string) => `The subagent ${path} was left out: ${reason}.`;
  if (file.kind === "missing") return leftOut("it leads nowhere");
  if (file.kind === "refused") return leftOut(file.reason);
  if (file.truncated) return leftOut(`it is larger than ${MAX_SUBAGENT_BYTES} bytes`);
  try {
    const document = readFrontmatter(file.text);
    if (document === undefined) return leftOut("it has no frontmatter");
    const description = textField(document, "description");
    if (description === undefined) return leftOut("its frontmatter has no description");
    if (document.body === "") return leftOut("it has no text below its frontmatter");
    const id = nameOfMarkdownFile(path);
    const name = textField(document, "name") ?? id;
    const isolated = textField(document, "worktree")?.toLowerCase() === "true";
    return { id, name, description, role: document.body, ...(isolated && { worktree: true }) };
  } catch (error) {
    return leftOut(messageOf(error));
  }
}
