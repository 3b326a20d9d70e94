import { shorten } from "../../shared/text.ts";
import { withVisibleControls } from "../data/stored-text.ts";
import type { MapView, Point, Size } from "./geometry.ts";
import { getPoint, radiusAt, type Scene, type SceneEdge } from "./scene.ts";

/** A screen rectangle that labels must not overlap. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Cell size in pixels of the grid that indexes the boxes. */
const CELL = 96;
const CELLS_IN_ROW = 4_096;

class LabelSpace {
  readonly #cells = new Map<number, Box[]>();

  /** Reserves the box; returns false if it overlaps an earlier one. */
  take(box: Box): boolean {
    const cells = getCells(box);
    for (const cell of cells) {
      for (const other of this.#cells.get(cell) ?? []) if (overlap(box, other)) return false;
    }
    this.#note(box, cells);
    return true;
  }

  reserve(box: Box): void {
    this.#note(box, getCells(box));
  }

  #note(box: Box, cells: readonly number[]): void {
    for (const cell of cells) {
      const present = this.#cells.get(cell);
      if (present === undefined) this.#cells.set(cell, [box]);
      else present.push(box);
    }
  }
}

function overlap(a: Box, b: Box): boolean {
  return (
    a.left < b.left + b.width &&
    b.left < a.left + a.width &&
    a.top < b.top + b.height &&
    b.top < a.top + a.height
  );
}

function getCells({ left, top, width, height }: Box): number[] {
  const cells: number[] = [];
  for (let x = Math.floor(left / CELL); x <= Math.floor((left + width) / CELL); x += 1) {
    for (let y = Math.floor(top / CELL); y <= Math.floor((top + height) / CELL); y += 1) {
      cells.push(x * CELLS_IN_ROW + y);
    }
  }
  return cells;
}

/** A label of fixed size on screen; `at` is the middle of its upper edge. */
export interface PlacedLabel {
  readonly index: number;
  readonly text: string;
  readonly at: Point;
}

/** Label of a connection, at the middle of its line. */
export interface PlacedName {
  readonly key: string;
  readonly text: string;
  readonly at: Point;
}

export interface Labels {
  readonly nodes: readonly PlacedLabel[];
  readonly names: readonly PlacedName[];
}

interface LabelOptions {
  readonly view: MapView;
  readonly size: Size;
  readonly first: readonly number[];
  /** Node whose connections are labeled. */
  readonly selected: number | undefined;
  /** Width of a text on screen in pixels. */
  readonly widthOf: (text: string) => number;
}

/** Maximum labels: more are unreadable and slow down each frame. */
const MAX_ITEMS = 120;
const HEIGHT = 24;
const PADDING = 10;
const NAME_HEIGHT = 16;
const LETTERS = 40;
const LETTERS_IN_NARROW = 22;
/** Width in pixels below which the map counts as narrow. */
const NARROW = 500;
const SMALL_COUNT = 200;

export function placeLabels(scene: Scene, requested: LabelOptions): Labels {
  const room = new LabelSpace();
  const nodes: PlacedLabel[] = [];
  const seen = new Set<number>();
  const label = (index: number) => {
    if (seen.has(index) || nodes.length >= MAX_ITEMS) return;
    seen.add(index);
    const at = below(scene, index, requested.view);
    if (!isInside(at, requested.size)) return;
    const text = getLabel(scene, index, requested.size);
    const width = requested.widthOf(text) + PADDING;
    at.x = within(at.x, width, requested.size);
    const box = { left: at.x - width / 2, top: at.y, width, height: HEIGHT };
    if (room.take(box)) nodes.push({ index, text, at });
  };
  for (const index of requested.first) label(index);
  if (scene.nodes.length <= SMALL_COUNT) keepCirclesFree(scene, room, requested.view);
  const names = requested.selected === undefined ? [] : namesAround(scene, room, requested);
  for (const { from, to } of getEdges(scene, requested.selected)) {
    label(from);
    label(to);
  }
  for (const index of scene.order) label(index);
  return { nodes, names };
}

function namesAround(scene: Scene, room: LabelSpace, requested: LabelOptions): PlacedName[] {
  const byPair = new Map<string, { ends: SceneEdge; types: Set<string> }>();
  for (const one of getEdges(scene, requested.selected)) {
    const key = `${one.from} ${one.to}`;
    const pair = byPair.get(key) ?? { ends: one, types: new Set() };
    pair.types.add(one.edge.type.replaceAll("_", " "));
    byPair.set(key, pair);
  }
  const names: PlacedName[] = [];
  for (const [key, { ends, types }] of byPair) {
    const [a, b] = [
      getPoint(scene, ends.from, requested.view),
      getPoint(scene, ends.to, requested.view),
    ];
    const at = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - NAME_HEIGHT / 2 };
    if (!isInside(at, requested.size)) continue;
    const text = shorten(withVisibleControls([...types].join(", ")), LETTERS);
    const width = requested.widthOf(text) + PADDING;
    at.x = within(at.x, width, requested.size);
    const box = { left: at.x - width / 2, top: at.y, width, height: NAME_HEIGHT };
    if (room.take(box)) names.push({ key, text, at });
  }
  return names;
}

function getEdges(scene: Scene, index: number | undefined): readonly SceneEdge[] {
  return index === undefined ? [] : (scene.edgesOf[index] ?? []);
}

function below(scene: Scene, index: number, view: MapView): { x: number; y: number } {
  const { x, y } = getPoint(scene, index, view);
  return { x, y: y + radiusAt(scene, index, view.scale) };
}

/** Shifts the middle of a label so that it stays inside of the map. */
function within(x: number, width: number, size: Size): number {
  return Math.max(width / 2, Math.min(x, size.width - width / 2));
}

function isInside({ x, y }: Point, { width, height }: Size): boolean {
  return x > 0 && y > -HEIGHT && x < width && y < height - NAME_HEIGHT;
}

function keepCirclesFree(scene: Scene, room: LabelSpace, view: MapView): void {
  for (let index = 0; index < scene.nodes.length; index += 1) {
    const { x, y } = getPoint(scene, index, view);
    // A node's label starts at its lower edge.
    const radius = radiusAt(scene, index, view.scale) - 1;
    room.reserve({ left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius });
  }
}

function getLabel({ nodes }: Scene, index: number, { width }: Size): string {
  const { title = "", folded = 0 } = nodes[index] ?? {};
  const letters = width < NARROW ? LETTERS_IN_NARROW : LETTERS;
  const text = shorten(withVisibleControls(title), letters);
  return folded > 0 ? `${text} +${folded.toLocaleString("en")}` : text;
}
