import { join } from "node:path";
import { messageOf } from "../../shared/errors.ts";
import type { AgentPaths } from "../agent-paths.ts";
import { readFrontmatter, textField } from "../documents/frontmatter.ts";
import { listNames } from "../documents/list-markdown-files.ts";
import { readTextFile } from "../documents/read-text-file.ts";

const MAX_SKILL_BYTES = 256 * 1024;

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly source: "project" | "user";
}

export interface LoadedSkills {
  readonly skills: readonly Skill[];
  /** One sentence per file that was skipped. */
  readonly warnings: readonly string[];
}

/** The first folder that has a name wins. */
export async function loadSkills(locations: AgentPaths): Promise<LoadedSkills> {
  const skills = new Map<string, Skill>();
  const warnings: string[] = [];
  for (const folder of skillFolders(locations)) {
    for (const name of await listNames(folder.path)) {
      const read = await readSkill(join(folder.path, name, "SKILL.md"), name, folder.within);
      if (typeof read === "string") warnings.push(read);
      else if (read !== undefined && !skills.has(read.name)) {
        skills.set(read.name, { ...read, source: folder.source });
      }
    }
  }
  return { skills: [...skills.values()], warnings };
}

interface SkillFolder {
  readonly path: string;
  readonly source: Skill["source"];
  readonly within?: string;
}

function skillFolders(locations: AgentPaths): readonly SkillFolder[] {
  const { projectRoot, userConfigDir } = locations;
  return [
    { path: join(projectRoot, ".cairn", "skills"), source: "project", within: projectRoot },
    { path: join(projectRoot, ".claude", "skills"), source: "project", within: projectRoot },
    { path: join(userConfigDir, "skills"), source: "user" },
  ];
}

async function readSkill(
  path: string,
  folderName: string,
  within: string | undefined,
): Promise<Omit<Skill, "source"> | string | undefined> {
  const limits = { maxBytes: MAX_SKILL_BYTES };
  const file = await readTextFile(path, within === undefined ? limits : { ...limits, within });
  if (file.kind === "missing") return undefined;
  if (file.kind === "refused") return `The skill ${path} was ignored: ${file.reason}.`;
  try {
    const document = readFrontmatter(file.text);
    if (document === undefined) return `The skill ${path} was ignored: it has no frontmatter.`;
    const description = textField(document, "description");
    if (description === undefined) {
      return `The skill ${path} was ignored: its frontmatter has no description.`;
    }
    return { name: textField(document, "name") ?? folderName, description, path };
  } catch (error) {
    return `The skill ${path} was ignored: ${messageOf(error)}.`;
  }
}
