import { sql } from "drizzle-orm";
import { selectRows, type Tx } from "../database/index.ts";

export interface Total {
  readonly kind: string;
  readonly name: string;
  readonly part: string;
  readonly total: number;
}

export interface TotalsRequest {
  readonly kinds: readonly string[];
  readonly names?: readonly string[] | undefined;
}

interface CachedTotals {
  /** Changes with every commit, and with every statement of the writing connection. */
  readonly state: string;
  readonly byKind: Map<string, readonly Total[]>;
}

/** Keyed by connection, since each has its own snapshot. */
const cache = new WeakMap<Tx, CachedTotals>();

/** Counts rows by kind, name and part, in that order; cached per database state. */
export async function loadTotals(tx: Tx, { kinds, names }: TotalsRequest): Promise<Total[]> {
  const state = await loadState(tx);
  const known = cache.get(tx);
  const cached = known?.state === state ? known : { state, byKind: new Map() };
  cache.set(tx, cached);
  const missing = kinds.filter((kind) => !cached.byKind.has(kind));
  if (missing.length > 0) {
    const counted = await loadCounts(tx, missing);
    for (const kind of missing) {
      cached.byKind.set(
        kind,
        counted.filter((total) => total.kind === kind),
      );
    }
  }
  const requested = names === undefined ? undefined : new Set(names);
  return [...kinds]
    .sort()
    .flatMap((kind) => cached.byKind.get(kind) ?? [])
    .filter(({ name }) => requested?.has(name) !== false);
}

export async function sumTotals(tx: Tx, requested: TotalsRequest): Promise<number> {
  return addTotals(await loadTotals(tx, requested));
}

export function addTotals(totals: readonly Pick<Total, "total">[]): number {
  return totals.reduce((sum, { total }) => sum + total, 0);
}

async function loadState(tx: Tx): Promise<string> {
  const [[state = ""] = []] = await selectRows<[string]>(
    tx,
    tx.engine === "sqlite" ? SQLITE_STATE : POSTGRES_STATE,
  );
  return state;
}

const LAST_CHANGE = sql`(select coalesce(max(id), 0) from changes)`;
// Includes repairs, which write without a change, and reused numbers after rollbacks.
const SQLITE_STATE = sql`select (select data_version from pragma_data_version) || ':' || total_changes() || ':' || ${LAST_CHANGE} as state`;
// Includes the schema, since a connection serves several databases.
const POSTGRES_STATE = sql`select current_schema() || ':' || ${LAST_CHANGE} || ':' || coalesce(pg_current_xact_id_if_assigned()::text, '') as state`;

async function loadCounts(tx: Tx, kinds: readonly string[]): Promise<Total[]> {
  const rows = await selectRows<[kind: string, name: string, part: string, total: number]>(
    tx,
    sql`select kind, name, part, total from (${sql.raw(countAll(kinds))}) counted order by kind, name, part`,
  );
  return rows.map(([kind, name, part, total]) => ({ kind, name, part, total: Number(total) }));
}

interface CountedRows {
  readonly kind: string;
  readonly table: string;
  readonly name: (row: string) => string;
  readonly part: (row: string) => string;
  readonly counts?: (row: string) => string;
  /** Items that hide their rows while deleted. */
  readonly owners: readonly Owner[];
}

interface Owner {
  readonly table: "concepts" | "episodes";
  readonly of: (row: string) => string;
}

const emptyColumn = () => "''";
const columnOf = (name: string) => (row: string) => `${row}."${name}"`;

function namedTotal(table: Owner["table"], name: string): Owner {
  const of = columnOf(name);
  return { table, of };
}

function factCondition(name: string): Owner {
  const fact = columnOf(name);
  return {
    table: "episodes",
    of: (row) => `(select episode_id from facts where id = ${fact(row)})`,
  };
}

const isActive = (row: string) => `${row}.deleted_at is null`;

const COUNTED_ROWS: readonly CountedRows[] = [
  {
    kind: "episodes",
    table: "episodes",
    name: columnOf("episode_type"),
    part: (row) =>
      `case when ${row}.deleted_at is not null then 'deleted' when ${row}.processed = 1 then 'processed' else 'pending' end`,
    owners: [],
  },
  {
    kind: "sources",
    table: "sources",
    name: columnOf("kind"),
    part: emptyColumn,
    counts: isActive,
    owners: [],
  },
  {
    kind: "passages",
    table: "passages",
    name: columnOf("role"),
    part: emptyColumn,
    counts: isActive,
    owners: [],
  },
  {
    kind: "concepts",
    table: "concepts",
    name: columnOf("type"),
    part: (row) => `case when ${row}.deleted_at is null then 'active' else 'deleted' end`,
    owners: [],
  },
  ...(["episodes", "concepts"] as const).map(
    (table): CountedRows => ({
      kind: `${table}_of_topic`,
      table,
      name: columnOf("topic_id"),
      part: emptyColumn,
      counts: (row) => `${row}.topic_id is not null and ${isActive(row)}`,
      owners: [],
    }),
  ),
  {
    kind: "facts",
    table: "facts",
    name: columnOf("status"),
    part: emptyColumn,
    owners: [namedTotal("episodes", "episode_id")],
  },
  {
    kind: "conflicts",
    table: "conflicts",
    name: columnOf("status"),
    part: emptyColumn,
    owners: [factCondition("fact_a"), factCondition("fact_b")],
  },
  {
    kind: "relations",
    table: "relations",
    name: columnOf("type"),
    part: emptyColumn,
    owners: [namedTotal("concepts", "source_id"), namedTotal("concepts", "target_id")],
  },
  {
    kind: "entities",
    table: "entities",
    name: columnOf("type"),
    part: emptyColumn,
    owners: [],
  },
  {
    kind: "entity_relations",
    table: "entity_relations",
    name: emptyColumn,
    part: emptyColumn,
    owners: [],
  },
  { kind: "topics", table: "topics", name: emptyColumn, part: emptyColumn, owners: [] },
  ...(["episode", "concept"] as const).map(
    (item): CountedRows => ({
      kind: `${item}_labels`,
      table: `${item}_labels`,
      name: columnOf("key"),
      part: columnOf("value"),
      owners: [namedTotal(`${item}s`, `${item}_id`)],
    }),
  ),
];

const LABELS_KIND = "labels";
const LABEL_KINDS = ["episode_labels", "concept_labels"] as const;

function countIf({ counts, owners }: CountedRows, row: string): string {
  const visible = owners.map(
    ({ table, of }) =>
      `exists (select 1 from ${table} owner where owner.id = ${of(row)} and ${isActive("owner")})`,
  );
  return [...(counts === undefined ? [] : [counts(row)]), ...visible].join(" and ") || "true";
}

function countAll(kinds: readonly string[]): string {
  const counted = COUNTED_ROWS.filter(({ kind }) => kinds.includes(kind)).map(countRows);
  return [...counted, ...(kinds.includes(LABELS_KIND) ? [COUNT_LABELS_QUERY] : [])].join(
    " union all ",
  );
}

function countRows(counted: CountedRows): string {
  const { kind, table, name, part } = counted;
  return `select '${kind}' as kind, name, part, count(*) as total from (select ${name("held")} as name, ${part("held")} as part from ${table} held where ${countIf(counted, "held")}) ${kind}_held group by name, part`;
}

const COUNT_LABELS_QUERY = `select '${LABELS_KIND}' as kind, '' as name, '' as part, count(*) as total from (${COUNTED_ROWS.filter(
  ({ kind }) => LABEL_KINDS.some((labels) => labels === kind),
)
  .map(
    (counted) =>
      `select ${counted.name("held")} as name, ${counted.part("held")} as part from ${counted.table} held where ${countIf(counted, "held")}`,
  )
  .join(" union ")}) labels_held having count(*) > 0`;
