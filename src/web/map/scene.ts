import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { OutputOf } from "../../memory/index.ts";
import { usePage } from "../page.ts";
import type { MapView, Point, Size } from "./geometry.ts";
import { computeLayout, type LayoutEdge } from "./graph-layout.ts";

export type MapNode = OutputOf<"graph_neighbourhood">["nodes"][number];
export type MapEdge = OutputOf<"graph_neighbourhood">["edges"][number];

export interface Scene {
  readonly nodes: readonly MapNode[];
  readonly indexes: ReadonlyMap<string, number>;
  readonly xs: Float32Array;
  readonly ys: Float32Array;
  /** Radii at scale 1. */
  readonly radii: Float32Array;
  readonly edges: readonly SceneEdge[];
  /** Edges of each node. */
  readonly edgesOf: readonly (readonly SceneEdge[])[];
  /** Nodes by importance, which is the order of label placement. */
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

/** Returns the radius on screen: scales with the map within a minimum and a maximum. */
export function radiusAt(scene: Scene, index: number, scale: number): number {
  return (scene.radii[index] ?? 5) * Math.min(1.5, Math.max(0.32, scale));
}

export function getLocation(scene: Scene, index: number): Point {
  return { x: scene.xs[index] ?? 0, y: scene.ys[index] ?? 0 };
}

export function getPoint(scene: Scene, index: number, view: MapView): Point {
  const { x, y } = getLocation(scene, index);
  return { x: x * view.scale + view.x, y: y * view.scale + view.y };
}

/** Hit tolerance in pixels beyond a node's edge. */
const SLACK = 8;

/** Returns the node at a point of the window. */
export function nodeAt(scene: Scene, view: MapView, at: Point): number | undefined {
  let found: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < scene.nodes.length; index += 1) {
    const { x, y } = getPoint(scene, index, view);
    const distance = Math.hypot(x - at.x, y - at.y);
    if (distance < least && distance <= radiusAt(scene, index, view.scale) + SLACK) {
      found = index;
      least = distance;
    }
  }
  return found;
}

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};

/**
 * Returns the nearest node in the direction of an arrow key, so that every node is reachable with
 * few presses; undefined for other keys and at the edge of the map.
 */
export function nodeTowards(scene: Scene, from: number, key: string): number | undefined {
  const direction = DIRECTIONS[key];
  if (direction === undefined) return undefined;
  const start = getLocation(scene, from);
  let found: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < scene.nodes.length; index += 1) {
    const { x, y } = getLocation(scene, index);
    const along = (x - start.x) * direction.x + (y - start.y) * direction.y;
    const beside = Math.abs((x - start.x) * direction.y) + Math.abs((y - start.y) * direction.x);
    if (index === from || along <= 0 || beside > along) continue;
    const cost = along + beside;
    if (cost >= least) continue;
    found = index;
    least = cost;
  }
  return found;
}

export interface Placed {
  readonly x: number;
  readonly y: number;
}

export function useLayout(
  ids: readonly string[],
  edges: readonly LayoutEdge[],
): ReadonlyMap<string, Placed> | undefined {
  const known = useRef<ReadonlyMap<string, Placed>>(new Map());
  const { layoutWorker } = usePage();
  const number = useRef(0);
  const [placed, setPlaced] = useState<ReadonlyMap<string, Placed> | undefined>(undefined);
  const key = useMemo(() => JSON.stringify([ids, edges]), [ids, edges]);
  useEffect(() => {
    if (ids.length === 0) return setPlaced(new Map());
    number.current += 1;
    const requested = number.current;
    const nodes = ids.map((id) => ({ id, ...known.current.get(id) }));
    const take = (positions: Float32Array) => {
      if (requested !== number.current) return;
      const next = new Map(
        ids.map((id, index) => [
          id,
          { x: positions[index * 2] ?? 0, y: positions[index * 2 + 1] ?? 0 },
        ]),
      );
      known.current = next;
      setPlaced(next);
    };
    const present = layoutWorker.get();
    if (present === undefined) return take(computeLayout(nodes, edges));
    const listen = ({ data }: MessageEvent) => {
      if (data.number === requested) take(data.positions);
    };
    present.addEventListener("message", listen);
    present.postMessage({ number: requested, nodes, edges });
    return () => present.removeEventListener("message", listen);
  }, [key]);
  return placed;
}

const SMALLEST = 0.02;
const LARGEST = 6;
/** Pixels between the outermost nodes and the window's edge, for their labels. */
const MARGIN = 56;
const LARGEST_FITTED = 1.1;

export function zoomedAt(view: MapView, at: Point, factor: number): MapView {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor));
  const change = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * change, y: at.y - (at.y - view.y) * change };
}

/** Returns the view that shows the whole map. */
export function fittedView({ xs, ys }: Pick<Scene, "xs" | "ys">, size: Size): MapView {
  if (xs.length === 0) return { x: size.width / 2, y: size.height / 2, scale: 1 };
  const [left, right] = ends(xs);
  const [top, bottom] = ends(ys);
  const scale = Math.max(
    SMALLEST,
    Math.min(
      LARGEST_FITTED,
      (size.width - 2 * MARGIN) / Math.max(1, right - left),
      (size.height - 2 * MARGIN) / Math.max(1, bottom - top),
    ),
  );
  return {
    x: size.width / 2 - ((left + right) / 2) * scale,
    y: size.height / 2 - ((top + bottom) / 2) * scale,
    scale,
  };
}

/** Moves the view as little as possible to show a point of the map. */
export function viewWith(view: MapView, location: Point, size: Size): MapView {
  const at = { x: location.x * view.scale + view.x, y: location.y * view.scale + view.y };
  const inside = (value: number, length: number) =>
    Math.min(Math.max(value, Math.min(MARGIN, length / 2)), Math.max(length - MARGIN, length / 2));
  return {
    ...view,
    x: view.x + inside(at.x, size.width) - at.x,
    y: view.y + inside(at.y, size.height) - at.y,
  };
}

function ends(values: Float32Array): [least: number, most: number] {
  let [least, limit] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > limit) limit = value;
  }
  return [least, limit];
}
