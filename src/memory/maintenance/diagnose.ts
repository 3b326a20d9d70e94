import { asc, eq, type SQL, sql } from "drizzle-orm";
import {
  type Database,
  findBrokenReferences,
  findIntegrityFaults,
  inSavepoint,
  inSavepointIfPostgres,
  isConstraintError,
  isInvalidNumber,
  isInvalidTime,
  rebuildIndexes,
  type SchemaPart,
  schemaParts,
  type Tx,
} from "../../database/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { invalidInput, isCairnError, messageOf } from "../../shared/errors.ts";
import { INDEXED_KINDS } from "../context/indexed-kind.ts";
import { createProblem, createRowProblem, type Problem } from "../context/problem.ts";
import { entities as entityTable } from "../entities/entity.table.ts";
import { ChangeRecorder } from "../history/change-recorder.ts";
import { parseEntity } from "../input/parse-entity.ts";
import type { MemoryEngine } from "../open-memory.ts";
import {
  getTextIndex,
  rebuildTextIndex,
  textsAreFresh,
  textsAreStale,
} from "../search/match-texts.ts";
import {
  type Check,
  type Diagnosis,
  type DoctorWork,
  type Finding,
  runInDoctorProcess,
} from "./check.ts";
import { conflicts } from "./checks/conflicts.ts";
import { counts } from "./checks/counts.ts";
import { facts } from "./checks/facts.ts";
import { feed } from "./checks/feed.ts";
import { vectors } from "./checks/vectors.ts";

const textIndex: Check = {
  name: "text index",
  about: "the text index matches every active episode and concept",
  isDerived: true,
  async find(tx) {
    const problems: Problem[] = [];
    // Items with a pending migration still contain words of earlier rules.
    const words = !(await textsAreStale(tx));
    for (const kind of INDEXED_KINDS) {
      problems.push(...(await getTextIndex(tx).findProblems(tx, kind, { words })));
    }
    return problems;
  },
  async fix(tx) {
    for (const kind of INDEXED_KINDS) await rebuildTextIndex(tx, kind);
    await textsAreFresh(tx);
  },
};

const DERIVED_TABLES = ["cluster_entities", "pending_vectors", "vector_signs", "vectors"];

const schema: Check = {
  name: "schema",
  about: "every table, index and trigger exists; no unknown trigger exists",
  async find(tx) {
    const { missing, further } = await compareParts(tx);
    const tables = missing.filter(({ type }) => type === "table");
    const lost = tables.filter(({ name }) => !DERIVED_TABLES.includes(name));
    const others = missing.filter(
      ({ type, table: of }) => type !== "table" && !tables.some(({ name }) => name === of),
    );
    return [
      ...createProblem("Tables are missing, with all their rows.", lost.map(getName), false),
      ...createProblem(
        "Tables of derived data are missing.",
        tables.filter(({ name }) => DERIVED_TABLES.includes(name)).map(getName),
      ),
      ...createProblem("Indexes and triggers are missing.", others.map(getName)),
      ...createProblem(
        "The database has triggers that are not part of cairn.",
        further.filter(({ type }) => type === "trigger").map(getName),
        false,
      ),
    ];
  },
  async fix(tx) {
    const { missing } = await compareParts(tx);
    const isLost = ({ name }: Pick<SchemaPart, "name">) =>
      missing.some((part) => part.type === "table" && part.name === name) &&
      !DERIVED_TABLES.includes(name);
    for (const part of missing) {
      if (isLost(part) || isLost({ name: part.table })) continue;
      await rebuildTables(tx, part);
    }
  },
};

/** A unique index cannot be created over duplicate rows; the finding then remains. */
async function rebuildTables(tx: Tx, part: SchemaPart): Promise<void> {
  await inSavepoint(tx, async () => {
    await tx.run(sql.raw(part.sql));
  }).catch((error: unknown) => {
    if (!isConstraintError(error)) throw error;
  });
}

const getName = ({ type, name }: NamedPart): string => `${type} ${name}`;

async function compareParts(tx: Tx) {
  const { expected, actual } = await schemaParts(tx);
  return {
    missing: expected.filter((part) => !containsRows(actual, part)),
    further: actual.filter((part) => !containsRows(expected, part)),
  };
}

type NamedPart = Pick<SchemaPart, "type" | "name">;

function containsRows(parts: readonly NamedPart[], { type, name }: NamedPart): boolean {
  return parts.some((part) => type === part.type && name === part.name);
}

const entities: Check = {
  name: "entities",
  about: "every entity has a known type and is found by its name",
  async find(tx) {
    const { strange, misplaced } = await inspect(tx);
    return [
      ...createProblem("Entities have unknown types.", strange, false),
      ...createProblem(
        "Entities are not found by their names.",
        misplaced.map(({ name }) => name),
      ),
    ];
  },
  async fix(tx) {
    for (const { id, key } of (await inspect(tx)).misplaced) {
      await inSavepoint(tx, () => setKey(tx, id, key)).catch((error: unknown) => {
        if (!isCairnError(error)) throw error;
      });
    }
  },
};

async function inspect(tx: Tx) {
  const rows = await tx
    .select({
      id: entityTable.id,
      type: entityTable.type,
      name: entityTable.name,
      key: entityTable.key,
    })
    .from(entityTable)
    .orderBy(asc(entityTable.id));
  const strange: string[] = [];
  const misplaced: { id: number; name: string; key: string }[] = [];
  for (const { id, type, name, key } of rows) {
    const expected = parseKey(`${type}:${name}`);
    if (expected === undefined) strange.push(`${type}:${name}`);
    else if (expected !== key) misplaced.push({ id, name: `${type}:${name}`, key: expected });
  }
  return { strange, misplaced };
}

function parseKey(entity: string): string | undefined {
  try {
    return parseEntity(entity).key;
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return undefined;
  }
}

async function setKey(tx: Tx, id: number, key: string): Promise<void> {
  try {
    await inSavepointIfPostgres(tx, () =>
      tx.update(entityTable).set({ key }).where(eq(entityTable.id, id)),
    );
  } catch (error) {
    if (!isConstraintError(error)) throw error;
    throw invalidInput("Another entity has this name.");
  }
}

const file: Check = {
  name: "file",
  about: "the database file and its indexes are intact",
  isDerived: false,
  async find(tx) {
    let faults = await findIntegrityFaults(tx);
    if (faults.fileFaults.some((fault) => fault.startsWith("fts5:"))) {
      await rereadTextIndexes(tx);
      faults = await findIntegrityFaults(tx);
    }
    return [
      ...createProblem(
        "The file is damaged. Rescue what is readable: `cairn export`, then `cairn import` into a new database.",
        faults.fileFaults,
        false,
      ),
      ...createProblem("Indexes of tables do not match their rows.", faults.indexFaults),
    ];
  },
  async fix(tx) {
    await rebuildIndexes(tx, (await findIntegrityFaults(tx)).indexes);
  },
};

/**
 * FTS5 checks its index against cached state, which is outdated once another connection merged
 * segments; a search refreshes it.
 */
async function rereadTextIndexes(tx: Tx): Promise<void> {
  for (const kind of INDEXED_KINDS) {
    const table = sql.identifier(`${kind}_text`);
    try {
      await tx.all(sql`select rowid from ${table} where ${table} match 'a' limit 1`);
    } catch (error) {
      if (error instanceof TypeError) throw error;
    }
  }
}

const references: Check = {
  name: "references",
  about: "every reference points to an existing row",
  async find(tx) {
    const rows = await findBrokenReferences(tx);
    return createProblem(
      "Rows refer to missing rows.",
      rows.map(({ table, row, parent }) => `${table} row ${row ?? "?"} to ${parent}`),
    );
  },
};

const STRAY_VALUE_RULES: readonly (readonly [problem: string, select: SQL])[] = [
  [
    "Values that must be JSON are invalid.",
    sql`select 'ep:' || id || ' metadata' as item from episodes where metadata is not null and not json_valid(metadata)
      union all select public_id || ' tags' from concepts where not json_valid(tags)
      union all select 'event ' || seq || ' payload' from events where payload is not null and not json_valid(payload)`,
  ],
  [
    "Facts have no valid start, or end before it.",
    sql`select 'fact:' || id as item from facts where ${isInvalidTime(sql`valid_from`)} or (valid_to is not null and (${isInvalidTime(sql`valid_to`)} or valid_to < valid_from))`,
  ],
  [
    "Confidence is not between 0 and 1.",
    sql`select public_id as item from concepts where ${isInvalidNumber(sql`confidence`)} or confidence not between 0 and 1`,
  ],
  [
    "Entities exist twice.",
    sql`select min(type) || ':' || min(name) as item from entities group by type, key having count(*) > 1`,
  ],
  [
    "The feed records the creation of episodes more than once.",
    sql`select subject_id as item from events where kind = 'remembered' group by subject_id having count(*) > 1`,
  ],
];

const stray: Check = {
  name: "values",
  about: "every value has a valid form",
  async find(tx) {
    const problems: Problem[] = [];
    for (const [problem, select] of STRAY_VALUE_RULES) {
      problems.push(...(await createRowProblem(tx, problem, select, false)));
    }
    return problems;
  },
};

const DRAFTS_CHECK = {
  name: "drafts",
  about: "no partial files of earlier imports are left next to the database",
};

function addDrafts(diagnosis: Diagnosis, database: Database): Diagnosis {
  const problem = "Interrupted imports left incomplete files.";
  const findings: Finding[] = createProblem(problem, database.abandonedDrafts()).map((found) => ({
    ...found,
    check: DRAFTS_CHECK.name,
    fixable: true,
  }));
  return {
    ok: diagnosis.ok && findings.length === 0,
    checks: [...diagnosis.checks, { ...DRAFTS_CHECK, ok: findings.length === 0 }],
    findings: [...diagnosis.findings, ...findings],
  };
}

export const ALL_CHECKS: readonly Check[] = [
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
  const runInThisProcess = async () =>
    addDrafts(await database.read((tx) => runChecks(tx, work)), database);
  return runInDoctorProcess(
    database,
    { task: "diagnose", name: memory.name },
    { work, here: runInThisProcess },
  );
}

export async function repair(memory: MemoryEngine, work: DoctorWork = {}): Promise<Diagnosis> {
  const database = await memory.database();
  const here = () => repairInProcess(memory, work);
  return runInDoctorProcess(database, { task: "repair", name: memory.name }, { work, here });
}

async function repairInProcess(memory: MemoryEngine, work: DoctorWork): Promise<Diagnosis> {
  const database = await memory.database();
  database.removeAbandonedDrafts();
  const left = await database.write(async (tx) => {
    const { findings } = await runChecks(tx, work);
    const author = { operation: "doctor", surface: "doctor" };
    const change = await ChangeRecorder.begin(tx, author, memory.timestamp());
    for (const check of ALL_CHECKS) {
      work.signal?.throwIfAborted();
      const isWrong = findings.some(({ check: name, fixable }) => name === check.name && fixable);
      if (isWrong) await check.fix?.(tx);
    }
    await change.finish();
    return runChecks(tx, work);
  });
  return addDrafts(left, database);
}

export async function runChecks(tx: Tx, work: DoctorWork = {}): Promise<Diagnosis> {
  const findings: Finding[] = [];
  for (const [index, check] of ALL_CHECKS.entries()) {
    work.signal?.throwIfAborted();
    await yieldToEventLoop();
    work.onProgress?.({ stage: `Checking ${check.name}`, done: index, total: ALL_CHECKS.length });
    for (const problem of await findProblems(check, tx)) {
      const fixable = check.fix !== undefined && problem.fixable !== false;
      findings.push({ check: check.name, ...problem, fixable });
    }
  }
  const wrong = new Set(findings.map((finding) => finding.check));
  return {
    ok: findings.length === 0,
    checks: ALL_CHECKS.map(({ name, about }) => ({ name, about, ok: !wrong.has(name) })),
    findings,
  };
}

async function findProblems(check: Check, tx: Tx): Promise<readonly Problem[]> {
  try {
    return await inSavepointIfPostgres(tx, () => check.find(tx));
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
