import { existsSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { AgentPaths } from "../agent-paths.ts";
import { readTextFile } from "../documents/read-text-file.ts";

const INSTRUCTION_NAMES: readonly string[] = ["AGENTS.md", "CLAUDE.md"];

const SKIPPED_FOLDERS = new Set(["node_modules", "dist", "build", "target", "vendor", "coverage"]);
const MAX_FOLDERS = 1_500;
const MAX_FILES = 30;
const MAX_DEPTH = 4;
/** A prompt does not wait longer for them. */
const TIMEOUT_MS = 150;

async function nestedInstructions(root: string): Promise<readonly string[]> {
  const deadline = performance.now() + TIMEOUT_MS;
  const found: string[] = [];
  let folders = [""];
  let seen = 0;
  for (let depth = 0; depth < MAX_DEPTH && folders.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of folders) {
      if (seen === MAX_FOLDERS || found.length >= MAX_FILES) return found;
      if (performance.now() > deadline) return found;
      seen += 1;
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
      const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
      const name = INSTRUCTION_NAMES.find((one) => names.has(one));
      if (folder !== "" && name !== undefined) found.push(`${folder}${name}`);
      next.push(
        ...entries
          .filter((entry) => entry.isDirectory() && !isSkipped(entry.name))
          .map((entry) => `${folder}${entry.name}/`)
          .sort(),
      );
    }
    folders = next;
  }
  return found;
}

function isSkipped(name: string): boolean {
  return name.startsWith(".") || SKIPPED_FOLDERS.has(name);
}

/** Maximum that one instruction file adds to every request; bytes. */
const MAX_INSTRUCTION_BYTES = 64 * 1024;

export interface InstructionSections {
  readonly sections: readonly string[];
  readonly warnings: readonly string[];
}

/** The user's file, then those of the project and its folders, outermost first. */
export async function instructionSections(locations: AgentPaths): Promise<InstructionSections> {
  const { projectRoot, userConfigDir, startedIn = "" } = locations;
  const files: InstructionFile[] = [
    { title: "Instructions of the user", path: join(userConfigDir, "cairn.md") },
    {
      title: "Instructions of the project (.cairn/cairn.md)",
      path: join(projectRoot, ".cairn", "cairn.md"),
      within: projectRoot,
    },
  ];
  const reported = new Set<string>();
  for (const folder of listFoldersTo(projectRoot, startedIn)) {
    const name = await findFirst(folder, INSTRUCTION_NAMES);
    if (name === undefined) continue;
    const relativePath = relative(projectRoot, join(folder, name));
    reported.add(relativePath);
    files.push({
      title: `Instructions of the project (${relativePath})`,
      path: join(folder, name),
      within: relativePath.startsWith("..") ? folder : projectRoot,
    });
  }
  const read = await Promise.all(files.map(readInstructions));
  const others = (await nestedInstructions(projectRoot)).filter((path) => !reported.has(path));
  return {
    sections: [...read.map((file) => file.section), formatList(others)].filter(
      (text) => text !== "",
    ),
    warnings: read.flatMap((file) => file.warnings),
  };
}

function formatList(others: readonly string[]): string {
  if (others.length === 0) return "";
  return `# Instructions of folders\n\nRead these before you work in their folders:\n\n${others.map((path) => `- ${path}`).join("\n")}`;
}

function listFoldersTo(projectRoot: string, startedIn: string): readonly string[] {
  const above: string[] = [];
  let top: string | undefined;
  for (let folder = projectRoot; ; folder = dirname(folder)) {
    if (folder !== projectRoot) above.unshift(folder);
    if (existsSync(join(folder, ".git"))) top = folder;
    if (top !== undefined || folder === dirname(folder)) break;
  }
  const below = startedIn.split("/").filter((part) => part !== "");
  return [
    ...(top === undefined ? [] : above),
    projectRoot,
    ...below.map((_, index) => join(projectRoot, ...below.slice(0, index + 1))),
  ];
}

async function findFirst(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const isThere = await lstat(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (isThere) return name;
  }
  return undefined;
}

interface InstructionFile {
  readonly title: string;
  readonly path: string;
  readonly within?: string;
}

async function readInstructions({
  title,
  path,
  within,
}: InstructionFile): Promise<{ section: string; warnings: readonly string[] }> {
  const limits = { maxBytes: MAX_INSTRUCTION_BYTES };
  const file = await readTextFile(path, within === undefined ? limits : { ...limits, within });
  if (file.kind === "missing") return { section: "", warnings: [] };
  if (file.kind === "refused") {
    return { section: "", warnings: [`${path} was ignored: ${file.reason}.`] };
  }
  const text = file.text.replace(/^\uFEFF/, "").trim();
  if (text === "") return { section: "", warnings: [] };
  if (!file.truncated) return { section: `# ${title}\n\n${text}`, warnings: [] };
  const note = `cut after ${MAX_INSTRUCTION_BYTES} of ${file.size} bytes`;
  return {
    section: `# ${title}\n\n${text}\n\n[${note}]`,
    warnings: [`${path} is too long for the system prompt: ${note}.`],
  };
}
