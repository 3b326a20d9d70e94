import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { shorten } from "../../../shared/text.ts";
import { Button } from "../../components/controls.tsx";
import { withVisibleControls } from "../../data/stored-text.ts";
import { type MapView, type Point, PointerFollower, type Size } from "../../map/geometry.ts";
import { type Labels, placeLabels } from "../../map/place-labels.ts";
import {
  fittedView,
  getLocation,
  type MapEdge,
  type MapNode,
  makeScene,
  nodeAt,
  nodeTowards,
  type Placed,
  type Scene,
  viewWith,
  zoomedAt,
} from "../../map/scene.ts";
import { type MapColors, paintMap, useMapColors } from "../../map/use-map-colors.ts";

interface MapPictureProps {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
  readonly placed: ReadonlyMap<string, Placed> | undefined;
  readonly selected: string;
  readonly center: string | undefined;
  onSelect(id: string): void;
  onExpand(id: string): void;
}

/** Zoom per pixel of scrolling: one wheel step is about a tenth. */
const PER_WHEEL_PIXEL = 0.0016;
/** Must match `map.css`. */
const LABEL_FONT = "12px system-ui, sans-serif";

/**
 * Draws nodes and edges on a canvas with labels of fixed size above it, which stays smooth for
 * thousands of nodes.
 */
export function MapPicture(props: MapPictureProps) {
  const { nodes, edges, placed, selected: selectedId, center, onSelect, onExpand } = props;
  const frame = useRef<HTMLDivElement>(null);
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
  const at = (event: { clientX: number; clientY: number }): Point => {
    const { left = 0, top = 0 } = frame.current?.getBoundingClientRect() ?? {};
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const middle = { x: size.width / 2, y: size.height / 2 };
  const zoom = (factor: number) => move((present) => zoomedAt(present, middle, factor));
  const turnWheel = (event: WheelEvent) => {
    event.preventDefault();
    const factor = Math.exp(-event.deltaY * PER_WHEEL_PIXEL);
    const point = at(event);
    move((present) => zoomedAt(present, point, factor));
  };
  const goTo = (index: number) => {
    if (scene === undefined) return;
    setFocused(scene.nodes[index]?.id);
    move((present) => viewWith(present, getLocation(scene, index), size));
  };
  const acts = { onSelect, onExpand };
  const seen = { view, size, colors, selected, hovered, focused: indexOf(focused) };
  return (
    <div class="map-frame" ref={frame} onWheel={turnWheel}>
      <MapCanvas scene={scene} {...seen} {...acts} at={at} move={move} onHover={setHovered} />
      {scene !== undefined && (
        <MapLabels
          {...{ scene, labels, selected, roving }}
          {...acts}
          onGo={goTo}
          onZoom={zoom}
          onFit={fit}
        />
      )}
      <MapLegend />
      <MapButtons onZoom={zoom} onFit={fit} />
    </div>
  );
}

/** Size of the element, updated when it changes. */
function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const read = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return size;
}

interface MapButtonsProps {
  onZoom(factor: number): void;
  onFit(): void;
}

function MapButtons({ onZoom, onFit }: MapButtonsProps) {
  return (
    <div class="map-buttons">
      <button type="button" class="icon-button" aria-label="Zoom in" onClick={() => onZoom(1.3)}>
        +
      </button>
      <button type="button" class="icon-button" aria-label="Zoom out" onClick={() => onZoom(0.77)}>
        −
      </button>
      <Button onClick={onFit}>Fit</Button>
    </div>
  );
}

function MapLegend() {
  return (
    <ul class="map-legend" aria-label="Legend">
      {["concept", "episode", "entity"].map((kind) => (
        <li key={kind}>
          <span class="map-dot" data-color={kind} aria-hidden="true" />
          {kind}
        </li>
      ))}
      <li>
        <span class="map-dash" data-color="line" aria-hidden="true" />
        no longer valid
      </li>
      <li>
        <span class="map-arrow" data-color="accent" aria-hidden="true">
          →
        </span>
        of the selected
      </li>
      <li class="unseen" aria-hidden="true">
        <span data-color="surface" />
        <span data-color="text" />
      </li>
    </ul>
  );
}

interface MapLabelsProps {
  readonly scene: Scene;
  readonly labels: Labels;
  readonly selected: number | undefined;
  readonly roving: number | undefined;
  onGo(index: number): void;
  onZoom(factor: number): void;
  onFit(): void;
  onSelect(id: string): void;
  onExpand(id: string): void;
}

/** Names of nodes and connections. The whole map is one tab stop; arrows go from node to node. */
function MapLabels(props: MapLabelsProps) {
  const { scene, labels, selected, roving, onSelect, onExpand } = props;
  const group = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const stop = labels.nodes.some(({ index }) => index === roving) ? roving : labels.nodes[0]?.index;
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const label = group.current?.querySelector<HTMLElement>(`[data-index="${roving}"]`);
    if (label === null || label === undefined) return;
    label.focus({ preventScroll: true });
    wantsFocus.current = false;
  }, [roving, labels]);
  const press = (event: KeyboardEvent, index: number) => {
    const next = event.key === "Home" ? scene.order[0] : nodeTowards(scene, index, event.key);
    if (next !== undefined) {
      wantsFocus.current = true;
      props.onGo(next);
    } else if (event.key === "+") props.onZoom(1.3);
    else if (event.key === "-") props.onZoom(0.77);
    else if (event.key === "0") props.onFit();
    else if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
  };
  return (
    <div
      ref={group}
      class="map-labels"
      role="group"
      aria-label="Map. Arrows go from node to node, Enter selects and then expands, + and - zoom. The table shows the same items."
    >
      {labels.names.map(({ key, text, at }) => (
        <span
          key={key}
          class="map-name"
          aria-hidden="true"
          style={{ transform: `translate(${at.x}px, ${at.y}px) translateX(-50%)` }}
        >
          {text}
        </span>
      ))}
      {labels.nodes.map(({ index, text, at }) => {
        const node = scene.nodes[index];
        if (node === undefined) return null;
        return (
          <button
            type="button"
            key={node.id}
            class="map-label"
            data-index={index}
            data-kind={node.kind}
            tabIndex={index === stop ? 0 : -1}
            aria-label={`${text}, ${node.type}, ${node.degree} connected`}
            aria-pressed={index === selected}
            title={withVisibleControls(shorten(node.title, 200))}
            style={{ transform: `translate(${at.x}px, ${at.y}px) translateX(-50%)` }}
            onClick={() => (index === selected ? onExpand(node.id) : onSelect(node.id))}
            onKeyDown={(event) => press(event, index)}
          >
            <bdi>{text}</bdi>
          </button>
        );
      })}
    </div>
  );
}

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

/** Canvas of nodes and edges, with pointer handling. */
function MapCanvas(props: MapCanvasProps) {
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

class TextWidths {
  readonly #known = new Map<string, number>();
  readonly #context: CanvasRenderingContext2D | null;

  constructor(font: string) {
    this.#context = document.createElement("canvas").getContext("2d");
    if (this.#context !== null) this.#context.font = font;
  }

  of(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const width = this.#context?.measureText(text).width ?? text.length * 7;
    this.#known.set(text, width);
    return width;
  }
}

const BEGIN: MapView = { x: 0, y: 0, scale: 1 };

function useMapView(): [MapView, (move: (view: MapView) => MapView) => void] {
  const [view, setView] = useState(BEGIN);
  const next = useRef(BEGIN);
  const frame = useRef<number | undefined>(undefined);
  useEffect(() => () => cancelAnimationFrame(frame.current ?? 0), []);
  const change = (move: (view: MapView) => MapView) => {
    next.current = move(next.current);
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      setView(next.current);
    });
  };
  return [view, change];
}
