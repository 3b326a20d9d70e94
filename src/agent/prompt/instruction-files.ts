import { join } from "node:path";
import { readTextFile } from "../documents/read-text-file.ts";
import type { AgentPlaces } from "../places.ts";

/** What one instruction file may add to every request; bytes. */
const MAX_INSTRUCTION_BYTES = 64 * 1024;

export interface InstructionSections {
  readonly sections: readonly string[];
  readonly warnings: readonly string[];
}

/** The user's instructions, the project's, and AGENTS.md, in this order; missing files are skipped. */
export async function instructionSections(places: AgentPlaces): Promise<InstructionSections> {
  const { projectRoot, userConfigDir } = places;
  const files: readonly InstructionFile[] = [
    { title: "Instructions of the user", path: join(userConfigDir, "cairn.md") },
    {
      title: "Instructions of the project (.cairn/cairn.md)",
      path: join(projectRoot, ".cairn", "cairn.md"),
      within: projectRoot,
    },
    {
      title: "Instructions of the project (AGENTS.md)",
      path: join(projectRoot, "AGENTS.md"),
      within: projectRoot,
    },
  ];
  const read = await Promise.all(files.map(readInstructions));
  return {
    sections: read.map((file) => file.section).filter((section) => section !== ""),
    warnings: read.flatMap((file) => file.warnings),
  };
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
    return { section: "", warnings: [`${path} was left out: ${file.reason}.`] };
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
