/**
 * Rows of one table that are counted by a name and a part of it. All strings are SQL that both engines read,
 * with the name of the row inserted.
 */
export interface CountedRows {
  /** The unique kind under which they stand in `totals`. */
  readonly kind: string;
  readonly table: string;
  readonly name: (row: string) => string;
  readonly part: (row: string) => string;
  /** Columns that decide whether a row counts and under which name. */
  readonly columns: readonly string[];
  readonly counts?: (row: string) => string;
  /** Items that hide their rows while they are deleted. */
  readonly owners: readonly Owner[];
}

export interface Owner {
  readonly table: "concepts" | "episodes";
  /** SQL for the number of the item to which a row belongs. */
  readonly of: (row: string) => string;
  /** Condition, supported by an index: a row belongs to the item of this number. */
  readonly has: (row: string, number: string) => string;
}

const nothing = () => "''";
const column = (name: string) => (row: string) => `${row}."${name}"`;

/** The item that a column refers to. */
function named(table: Owner["table"], name: string): Owner {
  const of = column(name);
  return { table, of, has: (row, number) => `${of(row)} = ${number}` };
}

/** The episode of the fact that a column refers to. */
function ofFact(name: string): Owner {
  const fact = column(name);
  return {
    table: "episodes",
    of: (row) => `(select episode_id from facts where id = ${fact(row)})`,
    has: (row, number) => `${fact(row)} in (select id from facts where episode_id = ${number})`,
  };
}

const isActive = (row: string) => `${row}.deleted_at is null`;

export const COUNTED_ROWS: readonly CountedRows[] = [
  {
    kind: "episodes",
    table: "episodes",
    name: column("episode_type"),
    part: (row) =>
      `case when ${row}.deleted_at is not null then 'deleted' when ${row}.processed = 1 then 'processed' else 'pending' end`,
    columns: ["episode_type", "processed", "deleted_at"],
    owners: [],
  },
  {
    kind: "sources",
    table: "sources",
    name: column("kind"),
    part: nothing,
    columns: ["kind", "deleted_at"],
    counts: isActive,
    owners: [],
  },
  {
    kind: "passages",
    table: "passages",
    name: column("role"),
    part: nothing,
    columns: ["role", "deleted_at"],
    counts: isActive,
    owners: [],
  },
  {
    kind: "concepts",
    table: "concepts",
    name: column("type"),
    part: (row) => `case when ${row}.deleted_at is null then 'active' else 'deleted' end`,
    columns: ["type", "deleted_at"],
    owners: [],
  },
  ...(["episodes", "concepts"] as const).map(
    (table): CountedRows => ({
      kind: `${table}_of_topic`,
      table,
      name: column("topic_id"),
      part: nothing,
      columns: ["topic_id", "deleted_at"],
      counts: (row) => `${row}.topic_id is not null and ${isActive(row)}`,
      owners: [],
    }),
  ),
  {
    kind: "facts",
    table: "facts",
    name: column("status"),
    part: nothing,
    columns: ["status", "episode_id"],
    owners: [named("episodes", "episode_id")],
  },
  {
    kind: "conflicts",
    table: "conflicts",
    name: column("status"),
    part: nothing,
    columns: ["status", "fact_a", "fact_b"],
    owners: [ofFact("fact_a"), ofFact("fact_b")],
  },
  {
    kind: "relations",
    table: "relations",
    name: column("type"),
    part: nothing,
    columns: ["type", "source_id", "target_id"],
    owners: [named("concepts", "source_id"), named("concepts", "target_id")],
  },
  {
    kind: "entities",
    table: "entities",
    name: column("type"),
    part: nothing,
    columns: ["type"],
    owners: [],
  },
  {
    kind: "entity_relations",
    table: "entity_relations",
    name: nothing,
    part: nothing,
    columns: [],
    owners: [],
  },
  { kind: "topics", table: "topics", name: nothing, part: nothing, columns: [], owners: [] },
  ...(["episode", "concept"] as const).map(
    (item): CountedRows => ({
      kind: `${item}_labels`,
      table: `${item}_labels`,
      name: column("key"),
      part: column("value"),
      columns: ["key", "value", `${item}_id`],
      owners: [named(`${item}s`, `${item}_id`)],
    }),
  ),
];

/** The kind that counts rows of `totals` itself: the number of distinct labels. */
export const LABELS = "labels";
export const LABEL_KINDS = ["episode_labels", "concept_labels"] as const;

/** The condition that a row counts, without checking the owners given. */
export function countsIf(
  { counts, owners }: CountedRows,
  row: string,
  known: readonly Owner[] = [],
): string {
  const visible = owners
    .filter((owner) => !known.includes(owner))
    .map(
      ({ table, of }) =>
        `exists (select 1 from ${table} owner where owner.id = ${of(row)} and ${isActive("owner")})`,
    );
  return [...(counts === undefined ? [] : [counts(row)]), ...visible].join(" and ") || "true";
}

/** A query for every row of `totals` as it should be. */
export function countAll(kinds?: readonly string[]): string {
  const wanted = (kind: string) => kinds === undefined || kinds.includes(kind);
  const counted = COUNTED_ROWS.filter(({ kind }) => wanted(kind)).map(countRows);
  return [...counted, ...(wanted(LABELS) ? [COUNT_LABELS] : [])].join(" union all ");
}

function countRows(counted: CountedRows): string {
  const { kind, table, name, part } = counted;
  return `select '${kind}' as kind, name, part, count(*) as total from (select ${name("held")} as name, ${part("held")} as part from ${table} held where ${countsIf(counted, "held")}) ${kind}_held group by name, part`;
}

const COUNT_LABELS = `select '${LABELS}' as kind, '' as name, '' as part, count(*) as total from (${COUNTED_ROWS.filter(
  ({ kind }) => LABEL_KINDS.some((labels) => labels === kind),
)
  .map(
    (counted) =>
      `select ${counted.name("held")} as name, ${counted.part("held")} as part from ${counted.table} held where ${countsIf(counted, "held")}`,
  )
  .join(" union ")}) labels_held having count(*) > 0`;
