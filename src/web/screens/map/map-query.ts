import type { InputOf } from "../../../memory/index.ts";

/** Choices for the maximum number of nodes; the server folds the rest. */
export const NODES = [150, 500, 2_000, 5_000] as const;

export interface MapQuery {
  readonly center: string;
  readonly selected: string;
  /** Date for which the map is valid; empty for now. */
  readonly at: string;
  readonly depth: number;
  readonly kinds: readonly string[];
  readonly most: number;
  readonly isTable: boolean;
  /** True if small groups are shown. */
  readonly hasSmall: boolean;
}

export function getMapQuery(query: Readonly<Record<string, string | undefined>>): MapQuery {
  const { center = "", sel = "", as_of: day = "", at = day } = query;
  return {
    center,
    selected: sel,
    at,
    depth: Math.min(3, Math.max(1, Number(query.depth ?? 1) || 1)),
    kinds: query.kinds?.split(",").filter(Boolean) ?? [],
    most: NODES.find((count) => count === Number(query.nodes)) ?? NODES[0],
    isTable: query.view === "table",
    hasSmall: query.small === "show" || center !== "",
  };
}

export function inputOfMap(query: MapQuery): InputOf<"graph_neighbourhood"> {
  const { center, kinds, at, depth, most } = query;
  return {
    ...(center !== "" && { center }),
    ...(kinds.length > 0 && { kinds }),
    ...(at !== "" && { valid_at: at }),
    depth,
    limit: most,
  } as InputOf<"graph_neighbourhood">;
}
