export interface Faults {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly halves: readonly string[];
  /** Sequence numbers that do not follow their predecessor. */
  readonly gaps: readonly number[];
}

export const NO_FAULTS: Faults = { lost: [], doubled: [], halves: [], gaps: [] };

export function findFaults(
  exported: string,
  promises: readonly { readonly acknowledged: readonly string[] }[],
): Faults {
  const counts = new Map<string, number>();
  const groups = new Map<string, number>();
  const gaps: number[] = [];
  let seq = 0;
  for (const { table, row } of rowsOf(exported)) {
    if (table === "events") {
      seq += 1;
      if (row.seq !== seq) gaps.push(Number(row.seq));
    }
    if (table !== "episodes") continue;
    const content = String(row.content);
    counts.set(content, (counts.get(content) ?? 0) + 1);
    const group = /^(.*) group \d+$/.exec(content)?.[1];
    if (group !== undefined) groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  const size = Math.max(0, ...groups.values());
  return {
    lost: promises.flatMap(({ acknowledged }) => acknowledged.filter((one) => !counts.has(one))),
    doubled: [...counts].filter(([, count]) => count > 1).map(([content]) => content),
    halves: [...groups].filter(([, count]) => count !== size).map(([group]) => group),
    gaps,
  };
}

function rowsOf(exported: string): { table?: string; row: Record<string, unknown> }[] {
  return exported
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { table?: string; row: Record<string, unknown> });
}
