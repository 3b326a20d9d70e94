import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Point } from "../../map/geometry.ts";
import { fittedView, viewWith, zoomedAt } from "../../map/map-view.ts";
import { placeLabels } from "../../map/place-labels.ts";
import { type MapEdge, type MapNode, makeScene, placeOf } from "../../map/scene.ts";
import { TextWidths } from "../../map/text-widths.ts";
import type { Placed } from "../../map/use-layout.ts";
import { useMapColors } from "../../map/use-map-colors.ts";
import { useMapView } from "../../map/use-map-view.ts";
import { MapButtons } from "./map-buttons.tsx";
import { MapCanvas } from "./map-canvas.tsx";
import { MapLabels } from "./map-labels.tsx";
import { MapLegend } from "./map-legend.tsx";
import { useSize } from "./use-size.ts";

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
    const place = at(event);
    move((present) => zoomedAt(present, place, factor));
  };
  const goTo = (index: number) => {
    if (scene === undefined) return;
    setFocused(scene.nodes[index]?.id);
    move((present) => viewWith(present, placeOf(scene, index), size));
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
