import type { MapView, Point } from "./geometry.ts";
import { placeOf, pointOf, radiusAt, type Scene } from "./scene.ts";

/** A finger or a shaking hand still hits; pixels beyond the edge of the node. */
const SLACK = 8;

/** The node under a point of the window. */
export function nodeAt(scene: Scene, view: MapView, at: Point): number | undefined {
  let found: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < scene.nodes.length; index += 1) {
    const { x, y } = pointOf(scene, index, view);
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
 * The nearest node that lies more in the direction of an arrow key than beside it, so that every node
 * is reached with few presses; undefined for other keys and at the edge of the map.
 */
export function nodeTowards(scene: Scene, from: number, key: string): number | undefined {
  const direction = DIRECTIONS[key];
  if (direction === undefined) return undefined;
  const start = placeOf(scene, from);
  let found: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < scene.nodes.length; index += 1) {
    const { x, y } = placeOf(scene, index);
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
