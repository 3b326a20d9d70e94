import { useMemo } from "preact/hooks";
import { useQuestion } from "../../data/use-question.ts";
import { useLayout } from "../../map/use-layout.ts";
import { connectedParts } from "./connected-parts.ts";
import { inputOfMap, type MapQuery } from "./map-query.ts";

/** Parts of the picture with fewer nodes are hidden behind a chip. */
const SMALL = 3;

export function useGraph(query: MapQuery) {
  const { hasSmall, most } = query;
  const { output, failure, again } = useQuestion("graph_neighbourhood", inputOfMap(query), {
    pause: most > 500 ? 15_000 : 2_000,
  });
  const { nodes, edges, hidden } = useMemo(() => {
    if (output === undefined) return { nodes: [], edges: [], hidden: 0 };
    const shown = hasSmall
      ? new Set(output.nodes.map(({ id }) => id))
      : connectedParts(output.nodes, output.edges, SMALL);
    return {
      nodes: output.nodes.filter(({ id }) => shown.has(id)),
      edges: output.edges.filter(({ source, target }) => shown.has(source) && shown.has(target)),
      hidden: output.nodes.length - shown.size,
    };
  }, [output, hasSmall]);
  const ids = useMemo(() => nodes.map(({ id }) => id), [nodes]);
  const links = useMemo(() => {
    const places = new Map(ids.map((id, index) => [id, index]));
    return edges.flatMap(({ source, target }) => {
      const [from, to] = [places.get(source), places.get(target)];
      return from === undefined || to === undefined ? [] : [{ source: from, target: to }];
    });
  }, [ids, edges]);
  const placed = useLayout(ids, links);
  return { output, failure, again, nodes, edges, hidden, placed };
}
