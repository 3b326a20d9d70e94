import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from "d3-force";

/** A node as layout input. */
export interface LayoutNode {
  readonly id: string;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

/** Endpoints are indexes in the list of nodes. */
export interface LayoutEdge {
  readonly source: number;
  readonly target: number;
}

/** Simulation steps; large maps get fewer, so that the layout takes seconds. */
const STEPS = 240;
const STEPS_OF_LARGE = 45;
const LARGE = 1_000;

/**
 * Places connected nodes close together; returns x and y of each node in order. Deterministic.
 * Nodes with a previous position hardly move, so that the map does not jump.
 */
export function computeLayout(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
): Float32Array {
  const placed: SimulationNodeDatum[] = nodes.map(({ x, y }) =>
    x === undefined || y === undefined ? {} : { x, y },
  );
  const placedCount = nodes.filter(({ x }) => x !== undefined).length;
  const links: SimulationLinkDatum<SimulationNodeDatum>[] = edges.map((edge) => ({ ...edge }));
  const isLarge = nodes.length > LARGE;
  const simulation = forceSimulation(placed)
    .stop()
    .force("link", forceLink(links).distance(115).strength(0.5))
    .force(
      "charge",
      forceManyBody()
        .strength(-420)
        .distanceMax(900)
        .theta(isLarge ? 1.2 : 0.9),
    )
    .force("x", forceX(0).strength(0.06))
    .force("y", forceY(0).strength(0.08));
  if (!isLarge) simulation.force("collide", forceCollide(42));
  if (placedCount > nodes.length / 2) simulation.alpha(0.25);
  simulation.tick(isLarge ? STEPS_OF_LARGE : STEPS);
  return Float32Array.from(placed.flatMap(({ x = 0, y = 0 }) => [x, y]));
}
