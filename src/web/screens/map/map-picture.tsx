import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { nodeAt } from "../../map/find-node.ts";
import { PointerFollower } from "../../map/follow-pointers.ts";
import type { Point, Size } from "../../map/geometry.ts";
import { fittedView, viewWith, zoomedAt } from "../../map/map-view.ts";
import { paintMap } from "../../map/paint-map.ts";
import { placeLabels } from "../../map/place-labels.ts";
import { type MapEdge, type MapNode, makeScene, placeOf } from "../../map/scene.ts";
import { TextWidths } from "../../map/text-widths.ts";
import type { Placed } from "../../map/use-layout.ts";
import { useMapColors } from "../../map/use-map-colors.ts";
import { useMapView } from "../../map/use-map-view.ts";
import { MapLabels } from "./map-labels.tsx";
import { MapLegend } from "./map-legend.tsx";

interface MapPictureProps {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
  readonly placed: ReadonlyMap<string, Placed> | undefined;
  readonly selected: string;
  readonly center: string | undefined;
  onSelect(id: string): void;
  onExpand(id: string): void;
}

/** One turn of a wheel is a tenth or so. */
const PER_WHEEL_PIXEL = 0.0016;
/** As in `map.css`. */
const LABEL_FONT = "12px system-ui, sans-serif";

/** Circles and lines on a canvas, labels of a fixed size above it: thousands of nodes move smoothly. */
export function MapPicture(props: MapPictureProps) {
  const { nodes, edges, placed, selected: selectedId, center, onSelect, onExpand } = props;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame);
  const colors = useMapColors(frame);
  const [view, move] = useMapView();
  const [focused, setFocused] = useState<string>();
  const [hovered, setHovered] = useState<number>();
  const widths = useMemo(() => new TextWidths(LABEL_FONT), []);
  const scene = useMemo(
    () => (placed === undefined ? undefined : makeScene(nodes, edges, placed)),
    [nodes, edges, placed],
  );
  const indexOf = (id: string | undefined) =>
    id === undefined ? undefined : scene?.indexes.get(id);
  const selected = indexOf(selectedId);
  const roving = indexOf(focused) ?? selected ?? indexOf(center) ?? scene?.order[0];
  const fit = () => {
    if (scene !== undefined && size.width > 0) move(() => fittedView(scene, size));
  };
  useEffect(fit, [scene, size.width, size.height]);
  const labels = useMemo(() => {
    const first = [roving, selected, hovered, indexOf(center)].filter((one) => one !== undefined);
    const widthOf = (text: string) => widths.of(text);
    return scene === undefined
      ? { nodes: [], names: [] }
      : placeLabels(scene, { view, size, first, selected, widthOf });
  }, [scene, view, size, roving, selected, hovered, center]);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || canvas.current === null || scene === undefined || colors === undefined) return;
    fitPixels(canvas.current, context, size);
    paintMap(context, scene, { view, size, colors, selected, focused: indexOf(focused) });
  }, [scene, view, size, colors, selected, focused]);
  const state = useRef({ scene, view, onSelect });
  state.current = { scene, view, onSelect };
  const under = (at: Point) => {
    const { scene: shown, view: present } = state.current;
    return shown === undefined ? undefined : nodeAt(shown, present, at);
  };
  const pointers = useMemo(
    () =>
      new PointerFollower({
        onPan: (by) =>
          move((present) => ({ ...present, x: present.x + by.x, y: present.y + by.y })),
        onZoom: (at, factor) => move((present) => zoomedAt(present, at, factor)),
        onTap: (at) => {
          const index = under(at);
          const id = index === undefined ? "" : state.current.scene?.nodes[index]?.id;
          state.current.onSelect(id ?? "");
        },
      }),
    [],
  );
  const at = (event: { clientX: number; clientY: number }): Point => {
    const { left = 0, top = 0 } = frame.current?.getBoundingClientRect() ?? {};
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const middle = { x: size.width / 2, y: size.height / 2 };
  const zoom = (factor: number) => move((present) => zoomedAt(present, middle, factor));
  const goTo = (index: number) => {
    if (scene === undefined) return;
    setFocused(scene.nodes[index]?.id);
    move((present) => viewWith(present, placeOf(scene, index), size));
  };
  return (
    <div
      class="map-frame"
      ref={frame}
      onWheel={(event) => {
        event.preventDefault();
        const factor = Math.exp(-event.deltaY * PER_WHEEL_PIXEL);
        const place = at(event);
        move((present) => zoomedAt(present, place, factor));
      }}
    >
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
          if (event.buttons === 0) setHovered(under(at(event)));
        }}
        onPointerUp={(event) => pointers.release(event.pointerId, at(event))}
        onPointerCancel={(event) => pointers.lose(event.pointerId)}
        onPointerLeave={() => setHovered(undefined)}
        onDblClick={(event) => {
          const index = under(at(event));
          const node = index === undefined ? undefined : scene?.nodes[index];
          if (node !== undefined) onExpand(node.id);
        }}
      />
      {scene !== undefined && (
        <MapLabels
          scene={scene}
          labels={labels}
          selected={selected}
          roving={roving}
          onGo={goTo}
          onZoom={zoom}
          onFit={fit}
          onSelect={onSelect}
          onExpand={onExpand}
        />
      )}
      <MapLegend />
      <div class="map-buttons">
        <button type="button" class="icon-button" aria-label="Larger" onClick={() => zoom(1.3)}>
          +
        </button>
        <button type="button" class="icon-button" aria-label="Smaller" onClick={() => zoom(0.77)}>
          −
        </button>
        <button type="button" class="button" onClick={fit}>
          Fit
        </button>
      </div>
    </div>
  );
}

/** Of the element, whenever it changes. */
function useSize(of: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = of;
    if (current === null) return;
    const read = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return size;
}

/** As many dots as the screen has, so that lines are sharp. */
function fitPixels(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, size: Size): void {
  const dots = Math.min(2, window.devicePixelRatio);
  const [width, height] = [Math.round(size.width * dots), Math.round(size.height * dots)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  context.setTransform(dots, 0, 0, dots, 0, 0);
}
