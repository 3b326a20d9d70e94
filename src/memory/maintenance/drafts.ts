import type { Database } from "../../database/index.ts";
import { problemOf } from "../context/problem.ts";
import type { Finding } from "./check.ts";
import type { Diagnosis } from "./diagnosis.ts";

/** Its name, and what is looked at, for the report. */
const CHECK = {
  name: "drafts",
  about: "no half-made files of ended imports lie beside the database",
};

/** The diagnosis with what was left beside the file, in its folder, of imports that were killed. */
export function withDrafts(diagnosis: Diagnosis, database: Database): Diagnosis {
  const problem = "Imports that were killed have left half-made files.";
  const findings: Finding[] = problemOf(problem, database.abandonedDrafts()).map((found) => ({
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
