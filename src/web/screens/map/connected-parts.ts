interface Edge {
  readonly source: string;
  readonly target: string;
}

/** Ids of the nodes whose connected part has at least `least` of them; all, where none has. */
export function connectedParts(
  nodes: readonly { readonly id: string }[],
  edges: readonly Edge[],
  least: number,
): ReadonlySet<string> {
  const neighbours = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { source, target } of edges) {
    neighbours.get(source)?.push(target);
    neighbours.get(target)?.push(source);
  }
  const large = new Set<string>();
  const seen = new Set<string>();
  for (const { id } of nodes) {
    if (seen.has(id)) continue;
    const part = [id];
    seen.add(id);
    for (const member of part) {
      for (const next of neighbours.get(member) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        part.push(next);
      }
    }
    if (part.length >= least) for (const member of part) large.add(member);
  }
  return large.size === 0 ? seen : large;
}
