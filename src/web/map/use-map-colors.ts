import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../page.ts";
import type { MapView, Point, Size } from "./geometry.ts";
import { getPoint, radiusAt, type Scene, type SceneEdge } from "./scene.ts";

export interface MapColors {
  readonly line: string;
  readonly accent: string;
  readonly surface: string;
  readonly text: string;
  readonly kinds: Readonly<Record<string, string>>;
}

interface Painting {
  readonly view: MapView;
  readonly size: Size;
  readonly colors: MapColors;
  readonly selected: number | undefined;
  readonly focused: number | undefined;
}

const ROUND = 2 * Math.PI;
/** Number of edges from which they are drawn faintly, as a background. */
const MANY_EDGES = 1_500;
const ARROW = 7;
const RINGED = 0.4;

export function paintMap(context: CanvasRenderingContext2D, scene: Scene, painting: Painting) {
  const { size, selected, focused, colors } = painting;
  context.clearRect(0, 0, size.width, size.height);
  paintLines(context, scene, painting);
  const nearby = selected === undefined ? [] : (scene.edgesOf[selected] ?? []);
  for (const one of nearby) paintArrow(context, scene, { ...painting, one });
  paintCircles(context, scene, painting);
  for (const [index, color] of [
    [selected, colors.text],
    [focused, colors.accent],
  ] as const) {
    if (index !== undefined) paintRing(context, scene, { ...painting, index, color });
  }
}

function paintLines(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { view, size, colors }: Painting,
) {
  context.strokeStyle = colors.line;
  context.lineWidth = 1;
  context.globalAlpha = scene.edges.length > MANY_EDGES ? 0.22 : 0.5;
  for (const isEnded of [false, true]) {
    context.setLineDash(isEnded ? [4, 3] : []);
    context.beginPath();
    for (const { from, to, edge } of scene.edges) {
      if ((edge.valid_to !== null) !== isEnded) continue;
      const [a, b] = [getPoint(scene, from, view), getPoint(scene, to, view)];
      if (isOutside(a, b, size)) continue;
      context.moveTo(a.x, a.y);
      context.lineTo(b.x, b.y);
    }
    context.stroke();
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function paintArrow(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { view, colors, one }: Painting & { readonly one: SceneEdge },
) {
  const [a, b] = [getPoint(scene, one.from, view), getPoint(scene, one.to, view)];
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  const reach = radiusAt(scene, one.to, view.scale) + 2;
  const tip = { x: b.x - Math.cos(angle) * reach, y: b.y - Math.sin(angle) * reach };
  context.strokeStyle = colors.accent;
  context.fillStyle = colors.accent;
  context.lineWidth = 1.8;
  context.setLineDash(one.edge.valid_to === null ? [] : [4, 3]);
  context.beginPath();
  context.moveTo(a.x, a.y);
  context.lineTo(tip.x, tip.y);
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(tip.x, tip.y);
  for (const side of [-0.45, 0.45]) {
    context.lineTo(
      tip.x - Math.cos(angle + side) * ARROW * 1.4,
      tip.y - Math.sin(angle + side) * ARROW * 1.4,
    );
  }
  context.fill();
}

function paintCircles(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { view, size, colors }: Painting,
) {
  context.strokeStyle = colors.surface;
  context.lineWidth = 1.5;
  for (const [kind, color] of Object.entries(colors.kinds)) {
    context.fillStyle = color;
    context.beginPath();
    for (let index = 0; index < scene.nodes.length; index += 1) {
      if (scene.nodes[index]?.kind !== kind) continue;
      const { x, y } = getPoint(scene, index, view);
      const radius = radiusAt(scene, index, view.scale);
      if (x < -radius || y < -radius || x > size.width + radius || y > size.height + radius) {
        continue;
      }
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, ROUND);
    }
    context.fill();
    // Outlines are visible only on large nodes; for thousands they would double the drawing time.
    if (view.scale > RINGED) context.stroke();
  }
}

function paintRing(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { view, index, color }: Painting & { readonly index: number; readonly color: string },
) {
  const { x, y } = getPoint(scene, index, view);
  context.strokeStyle = color;
  context.lineWidth = 2.5;
  context.beginPath();
  context.arc(x, y, radiusAt(scene, index, view.scale) + 2, 0, ROUND);
  context.stroke();
}

function isOutside(a: Point, b: Point, { width, height }: Size): boolean {
  return (
    (a.x < 0 && b.x < 0) ||
    (a.y < 0 && b.y < 0) ||
    (a.x > width && b.x > width) ||
    (a.y > height && b.y > height)
  );
}

const DARK = "(prefers-color-scheme: dark)";

/** Reads the theme's colors for the canvas from elements with `data-color`. */
export function useMapColors(frame: RefObject<HTMLElement | null>): MapColors | undefined {
  const { preferences } = usePage();
  const { theme } = preferences.choices.value;
  const [colors, setColors] = useState<MapColors>();
  useEffect(() => {
    const read = () => {
      const { current } = frame;
      if (current !== null) setColors(colorsIn(current));
    };
    read();
    const media = matchMedia(DARK);
    media.addEventListener("change", read);
    return () => media.removeEventListener("change", read);
  }, [theme]);
  return colors;
}

function colorsIn(frame: HTMLElement): MapColors {
  const found: Record<string, string> = {};
  for (const element of frame.querySelectorAll<HTMLElement>("[data-color]")) {
    found[element.dataset.color ?? ""] = getComputedStyle(element).color;
  }
  const { line = "", accent = "", surface = "", text = "", ...kinds } = found;
  return { line, accent, surface, text, kinds };
}
