import { invalidInput } from "../../shared/errors.ts";
import { nearestHint } from "../../shared/nearest.ts";
import type { ImportInput } from "./import-input.ts";
import type { Importer } from "./imported-record.ts";
import { basicMemory } from "./sources/basic-memory.ts";
import { beads } from "./sources/beads.ts";
import { chatgpt } from "./sources/chatgpt.ts";
import { claudeCode } from "./sources/claude-code.ts";
import { claudeMem } from "./sources/claude-mem.ts";
import { graphiti, zep } from "./sources/graphiti.ts";
import { letta } from "./sources/letta.ts";
import { markdown } from "./sources/markdown.ts";
import { mem0 } from "./sources/mem0.ts";
import { openmemory } from "./sources/openmemory.ts";
import { remind } from "./sources/remind.ts";
import { serverMemory } from "./sources/server-memory.ts";
import { csv, jsonl } from "./sources/tables.ts";

/** All importers, most specific first; the first that recognizes the input reads it. */
export const importers: readonly Importer[] = [
  serverMemory,
  remind,
  claudeMem,
  claudeCode,
  basicMemory,
  beads,
  zep,
  graphiti,
  letta,
  openmemory,
  mem0,
  chatgpt,
  markdown,
  jsonl,
  csv,
];

export const importerNames: readonly string[] = importers.map(({ name }) => name);

export function importerNamed(name: string): Importer {
  const importer = importers.find((one) => one.name === name);
  if (importer !== undefined) return importer;
  throw invalidInput(
    `from: "${name}" is not one of ${importerNames.join(", ")}.${nearestHint(name, importerNames)}`,
  );
}

export async function guessImporter(input: ImportInput): Promise<Importer | undefined> {
  for (const importer of importers) {
    if (await importer.recognizes(input)) return importer;
  }
  return undefined;
}
