/** Part of a memory as a graph; nodes closest to the center come first. */
export interface MemoryMap {
  readonly center: string | null;
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

export interface MapNode {
  readonly id: string;
  readonly kind: string;
  readonly type: string;
  readonly title: string;
  readonly hops: number;
  readonly folded: number;
}

export interface MapEdge {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly strength: number;
}

export interface Branch {
  readonly node: MapNode;
  readonly edge: MapEdge | undefined;
  readonly branches: readonly Branch[];
}

/** Roots are the center, or all nodes without incoming edges. */
export function buildTrees({ nodes, edges }: MemoryMap): readonly Branch[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visited = new Set(nodes.filter(({ hops }) => hops === 0).map(({ id }) => id));
  const joined = new Map<string, { node: MapNode; edge: MapEdge }[]>();
  // Nodes come closest first, so parents precede their children.
  for (const node of nodes) {
    if (node.hops === 0) continue;
    const edge = edges
      .filter((one) => touches(one, node.id))
      .find((one) => byId.get(otherEnd(one, node.id))?.hops === node.hops - 1);
    if (edge === undefined) continue;
    visited.add(node.id);
    const above = otherEnd(edge, node.id);
    joined.set(above, [...(joined.get(above) ?? []), { node, edge }]);
  }
  const branch = (node: MapNode, edge?: MapEdge): Branch => ({
    node,
    edge,
    branches: (joined.get(node.id) ?? []).map((below) => branch(below.node, below.edge)),
  });
  return nodes
    .filter((node) => node.hops === 0 || !visited.has(node.id))
    .map((node) => branch(node));
}

function touches({ source, target }: MapEdge, id: string): boolean {
  return source === id || target === id;
}

function otherEnd({ source, target }: MapEdge, id: string): string {
  return source === id ? target : source;
}
