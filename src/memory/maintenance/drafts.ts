import { dirname } from "node:path";
import { abandonedDrafts, removeAbandonedDrafts } from "../../kernel/draft-file.ts";
import { problemOf } from "../context/problem.ts";
import type { MemoryEngine } from "../open-memory.ts";
import type { Finding } from "./check.ts";
import type { Diagnosis } from "./diagnosis.ts";

/** Its name, and what is looked at, for the report. */
const CHECK = {
  name: "drafts",
  about: "no half-made files of ended imports lie beside the database",
};

/** The diagnosis with what was left beside the file, in its folder, of imports that were killed. */
export function withDrafts(diagnosis: Diagnosis, memory: MemoryEngine): Diagnosis {
  const problem = "Imports that were killed have left half-made files.";
  const findings: Finding[] = problemOf(problem, draftsOf(memory)).map((found) => ({
    ...found,
    check: CHECK.name,
    fixable: true,
  }));
  return {
    ok: diagnosis.ok && findings.length === 0,
    checks: [...diagnosis.checks, { ...CHECK, ok: findings.length === 0 }],
    findings: [...diagnosis.findings, ...findings],
  };
}

/** Removes drafts of processes that are gone, of every database of the folder. */
export function removeDrafts({ path }: MemoryEngine): void {
  removeAbandonedDrafts(dirname(path), isDatabase);
}

function draftsOf({ path }: MemoryEngine): string[] {
  return path === ":memory:" ? [] : abandonedDrafts(dirname(path), isDatabase);
}

function isDatabase(file: string): boolean {
  return file.endsWith(".db");
}
