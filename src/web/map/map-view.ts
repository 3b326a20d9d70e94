import type { MapView, Point, Size } from "./geometry.ts";
import type { Scene } from "./scene.ts";

const SMALLEST = 0.02;
const LARGEST = 6;
/** Between the outermost nodes and the edge of the window, so that their labels have room. */
const MARGIN = 56;
const LARGEST_FITTED = 1.1;

export function zoomedAt(view: MapView, at: Point, factor: number): MapView {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor));
  const change = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * change, y: at.y - (at.y - view.y) * change };
}

/** So that everything is seen. */
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

/** Moved as little as possible so that a place of the map is well inside of the window. */
export function viewWith(view: MapView, place: Point, size: Size): MapView {
  const at = { x: place.x * view.scale + view.x, y: place.y * view.scale + view.y };
  const inside = (value: number, length: number) =>
    Math.min(Math.max(value, Math.min(MARGIN, length / 2)), Math.max(length - MARGIN, length / 2));
  return {
    ...view,
    x: view.x + inside(at.x, size.width) - at.x,
    y: view.y + inside(at.y, size.height) - at.y,
  };
}

function ends(values: Float32Array): [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
