import type { OutputOf } from "../../memory/index.ts";
import type { MapView, Point } from "./geometry.ts";
import type { Placed } from "./use-layout.ts";

export type MapNode = OutputOf<"graph_neighbourhood">["nodes"][number];
export type MapEdge = OutputOf<"graph_neighbourhood">["edges"][number];

export interface Scene {
  readonly nodes: readonly MapNode[];
  readonly indexes: ReadonlyMap<string, number>;
  readonly xs: Float32Array;
  readonly ys: Float32Array;
  /** At scale 1. */
  readonly radii: Float32Array;
  readonly edges: readonly SceneEdge[];
  /** Edges of each node. */
  readonly edgesOf: readonly (readonly SceneEdge[])[];
  /** Nodes, what matters most first: the order in which labels get room. */
  readonly order: readonly number[];
}

export interface SceneEdge {
  readonly from: number;
  readonly to: number;
  readonly edge: MapEdge;
}

export function makeScene(
  nodes: readonly MapNode[],
  edges: readonly MapEdge[],
  placed: ReadonlyMap<string, Placed>,
): Scene {
  const shown = nodes.filter(({ id }) => placed.has(id));
  const indexes = new Map(shown.map(({ id }, index) => [id, index]));
  const drawn = edges.flatMap((edge) => {
    const [from, to] = [indexes.get(edge.source), indexes.get(edge.target)];
    return from === undefined || to === undefined ? [] : [{ from, to, edge }];
  });
  const edgesOf: SceneEdge[][] = shown.map(() => []);
  for (const one of drawn) {
    edgesOf[one.from]?.push(one);
    if (one.to !== one.from) edgesOf[one.to]?.push(one);
  }
  const weights = shown.map(({ kind, degree }) => (kind === "concept" ? 50 : 0) + degree);
  return {
    nodes: shown,
    indexes,
    xs: Float32Array.from(shown, ({ id }) => placed.get(id)?.x ?? 0),
    ys: Float32Array.from(shown, ({ id }) => placed.get(id)?.y ?? 0),
    radii: Float32Array.from(shown, ({ degree }) => 5 + Math.min(9, Math.sqrt(degree) * 1.6)),
    edges: drawn,
    edgesOf,
    order: shown
      .map((_node, index) => index)
      .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b),
  };
}

/** On the screen: nodes become smaller with the map, but stay visible and never cover it. */
export function radiusAt(scene: Scene, index: number, scale: number): number {
  return (scene.radii[index] ?? 5) * Math.min(1.5, Math.max(0.32, scale));
}

export function placeOf(scene: Scene, index: number): Point {
  return { x: scene.xs[index] ?? 0, y: scene.ys[index] ?? 0 };
}

export function pointOf(scene: Scene, index: number, view: MapView): Point {
  const { x, y } = placeOf(scene, index);
  return { x: x * view.scale + view.x, y: y * view.scale + view.y };
}
