import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { MapView, Point, Size } from "../../map/geometry.ts";
import { PointerFollower } from "../../map/geometry.ts";
import type { Scene } from "../../map/scene.ts";
import { nodeAt, zoomedAt } from "../../map/scene.ts";
import { type MapColors, paintMap } from "../../map/use-map-colors.ts";

interface MapCanvasProps {
  readonly scene: Scene | undefined;
  readonly view: MapView;
  readonly size: Size;
  readonly colors: MapColors | undefined;
  readonly selected: number | undefined;
  readonly focused: number | undefined;
  readonly hovered: number | undefined;
  at(event: { clientX: number; clientY: number }): Point;
  move(change: (view: MapView) => MapView): void;
  onHover(index: number | undefined): void;
  onSelect(id: string): void;
  onExpand(id: string): void;
}

/** The circles and lines, and what pointers do to them. */
export function MapCanvas(props: MapCanvasProps) {
  const { scene, view, size, colors, selected, focused, hovered } = props;
  const { at, onHover, onExpand } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || canvas.current === null || scene === undefined || colors === undefined) return;
    fitPixels(canvas.current, context, size);
    paintMap(context, scene, { view, size, colors, selected, focused });
  }, [scene, view, size, colors, selected, focused]);
  const state = useRef(props);
  state.current = props;
  const nodeUnder = (point: Point) => {
    const { scene: shown, view: present } = state.current;
    const index = shown === undefined ? undefined : nodeAt(shown, present, point);
    return { index, id: index === undefined ? undefined : shown?.nodes[index]?.id };
  };
  const pointers = useMemo(
    () =>
      new PointerFollower({
        onPan: (by) =>
          state.current.move((present) => ({
            ...present,
            x: present.x + by.x,
            y: present.y + by.y,
          })),
        onZoom: (point, factor) =>
          state.current.move((present) => zoomedAt(present, point, factor)),
        onTap: (point) => state.current.onSelect(nodeUnder(point).id ?? ""),
      }),
    [],
  );
  return (
    <canvas
      ref={canvas}
      class="map"
      data-over={hovered !== undefined}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        pointers.press(event.pointerId, at(event));
      }}
      onPointerMove={(event) => {
        pointers.move(event.pointerId, at(event));
        if (event.buttons === 0) onHover(nodeUnder(at(event)).index);
      }}
      onPointerUp={(event) => pointers.release(event.pointerId, at(event))}
      onPointerCancel={(event) => pointers.lose(event.pointerId)}
      onPointerLeave={() => onHover(undefined)}
      onDblClick={(event) => {
        const { id } = nodeUnder(at(event));
        if (id !== undefined) onExpand(id);
      }}
    />
  );
}

function fitPixels(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, size: Size): void {
  const dots = Math.min(2, window.devicePixelRatio);
  const [width, height] = [Math.round(size.width * dots), Math.round(size.height * dots)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  context.setTransform(dots, 0, 0, dots, 0, 0);
}
