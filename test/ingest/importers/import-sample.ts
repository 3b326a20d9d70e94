import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import {
  createImportInput,
  guessImporter,
  type ImportInput,
  type ImportOptions,
  importerNamed,
  openImportInput,
  runImport,
} from "../../../src/ingest/importers/index.ts";
import type { TestMemory } from "../../support/test-memory.ts";

export function sample(name: string): string {
  return fileURLToPath(new URL(`samples/${name}`, import.meta.url));
}

export async function importPath(
  { memory }: TestMemory,
  path: string,
  { from, ...options }: ImportOptions & { from?: string } = {},
) {
  return importInput({ memory }, await openImportInput(path), {
    ...options,
    ...(from && { from }),
  });
}

export async function importText(
  { memory }: Pick<TestMemory, "memory">,
  text: string | Uint8Array,
  options: ImportOptions & { from: string },
) {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return importInput({ memory }, createImportInput(bytes), options);
}

async function importInput(
  { memory }: Pick<TestMemory, "memory">,
  input: ImportInput,
  { from, ...options }: ImportOptions & { from?: string },
) {
  const importer = from === undefined ? await guessImporter(input) : importerNamed(from);
  if (importer === undefined) throw new Error(`No importer knows ${input.label}.`);
  return runImport({ memory, importer, input, options });
}

export function sampleDatabase(name: string): string {
  const folder = temporaryFolder();
  const path = join(folder, name.replace(/\.sql$/, ".db"));
  const database = new Database(path);
  database.exec(readFileSync(sample(name), "utf8"));
  database.close();
  return path;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-import-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
