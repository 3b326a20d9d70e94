import { type Database, recoverably, type Tx } from "../../database/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { messageOf } from "../../shared/errors.ts";
import { createProblem, type Problem } from "../context/problem.ts";
import { ChangeRecorder } from "../history/change-recorder.ts";
import type { MemoryEngine } from "../open-memory.ts";
import type { Check, Diagnosis, DoctorWork, Finding } from "./check.ts";
import { inDoctorProcess } from "./check.ts";
import { conflicts } from "./checks/conflicts.ts";
import { counts } from "./checks/counts.ts";
import { entities } from "./checks/entities.ts";
import { facts } from "./checks/facts.ts";
import { feed } from "./checks/feed.ts";
import { file, references } from "./checks/file.ts";
import { schema } from "./checks/schema.ts";
import { stray } from "./checks/stray-values.ts";
import { textIndex } from "./checks/text-index.ts";
import { vectors } from "./checks/vectors.ts";

const CHECK = {
  name: "drafts",
  about: "no partial files of earlier imports are left next to the database",
};

function withDrafts(diagnosis: Diagnosis, database: Database): Diagnosis {
  const problem = "Interrupted imports left incomplete files.";
  const findings: Finding[] = createProblem(problem, database.abandonedDrafts()).map((found) => ({
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

export const CHECKS: readonly Check[] = [
  file,
  schema,
  references,
  stray,
  entities,
  facts,
  conflicts,
  counts,
  feed,
  textIndex,
  vectors,
];

export async function diagnose(memory: MemoryEngine, work: DoctorWork = {}): Promise<Diagnosis> {
  const database = await memory.database();
  const here = async () => withDrafts(await database.read((tx) => runChecks(tx, work)), database);
  return inDoctorProcess(database, { task: "diagnose", name: memory.name }, { work, here });
}

export async function repair(memory: MemoryEngine, work: DoctorWork = {}): Promise<Diagnosis> {
  const database = await memory.database();
  const here = () => repairHere(memory, work);
  return inDoctorProcess(database, { task: "repair", name: memory.name }, { work, here });
}

async function repairHere(memory: MemoryEngine, work: DoctorWork): Promise<Diagnosis> {
  const database = await memory.database();
  database.removeAbandonedDrafts();
  const left = await database.write(async (tx) => {
    const { findings } = await runChecks(tx, work);
    const author = { operation: "doctor", surface: "doctor" };
    const change = await ChangeRecorder.begin(tx, author, memory.timestamp());
    for (const check of CHECKS) {
      work.signal?.throwIfAborted();
      const isWrong = findings.some(({ check: name, fixable }) => name === check.name && fixable);
      if (isWrong) await check.fix?.(tx);
    }
    await change.finish();
    return runChecks(tx, work);
  });
  return withDrafts(left, database);
}

export async function runChecks(tx: Tx, work: DoctorWork = {}): Promise<Diagnosis> {
  const findings: Finding[] = [];
  for (const [index, check] of CHECKS.entries()) {
    work.signal?.throwIfAborted();
    await yieldToEventLoop();
    work.onProgress?.({ stage: `Checking ${check.name}`, done: index, total: CHECKS.length });
    for (const problem of await findProblems(check, tx)) {
      const fixable = check.fix !== undefined && problem.fixable !== false;
      findings.push({ check: check.name, ...problem, fixable });
    }
  }
  const wrong = new Set(findings.map((finding) => finding.check));
  return {
    ok: findings.length === 0,
    checks: CHECKS.map(({ name, about }) => ({ name, about, ok: !wrong.has(name) })),
    findings,
  };
}

async function findProblems(check: Check, tx: Tx): Promise<readonly Problem[]> {
  try {
    return await recoverably(tx, () => check.find(tx));
  } catch (error) {
    const why = innermostMessage(error);
    return createProblem("It is too damaged to check.", [why], check.isDerived);
  }
}

/** Returns the innermost message; the outer ones only quote the statement. */
function innermostMessage(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return messageOf(inner);
}
