import { useEffect, useRef, useState } from "preact/hooks";
import { shorten } from "../../../kernel/shorten.ts";
import type { OutputOf } from "../../../memory/index.ts";
import { withVisibleControls } from "../../data/stored-text.ts";
import type { Placed } from "../../map/use-layout.ts";

export type MapNode = OutputOf<"graph_neighbourhood">["nodes"][number];
export type MapEdge = OutputOf<"graph_neighbourhood">["edges"][number];

interface MapPictureProps {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
  readonly placed: ReadonlyMap<string, Placed> | undefined;
  readonly selected: string;
  readonly center: string | undefined;
  onSelect(id: string): void;
  onExpand(id: string): void;
}

interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Labels of more nodes would cover each other. */
const MOST_LABELS = 45;
const MARGIN = 70;

/** A hundred and fifty nodes are little enough for SVG: every one can be reached by keyboard. */
export function MapPicture(props: MapPictureProps) {
  const { nodes, edges, placed, selected, center, onSelect, onExpand } = props;
  const frame = useRef<SVGSVGElement>(null);
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const drag = useRef<{ x: number; y: number; view: View } | undefined>(undefined);
  const fit = () => {
    const element = frame.current;
    if (element !== null && placed !== undefined && placed.size > 0)
      setView(fitted(element, placed));
  };
  useEffect(fit, [placed]);
  if (placed === undefined) return null;
  const labelled = new Set(
    [...nodes]
      .sort((a, b) => weight(b, selected, center) - weight(a, selected, center))
      .slice(0, MOST_LABELS)
      .map(({ id }) => id),
  );
  const zoom = (factor: number) =>
    setView({ ...view, scale: Math.min(4, Math.max(0.15, view.scale * factor)) });
  return (
    <div class="map-frame">
      <svg
        ref={frame}
        class="map"
        role="group"
        aria-label="Map; the table holds the same"
        onWheel={(event) => {
          event.preventDefault();
          zoom(event.deltaY < 0 ? 1.15 : 0.87);
        }}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY, view };
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (from === undefined || event.buttons === 0) return;
          const { x, y, scale } = from.view;
          setView({ x: x + event.clientX - from.x, y: y + event.clientY - from.y, scale });
        }}
        onPointerUp={() => {
          drag.current = undefined;
        }}
      >
        <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
          {edges.map(({ source, target, type, kind, valid_to: ended }) => {
            const [a, b] = [placed.get(source), placed.get(target)];
            if (a === undefined || b === undefined) return null;
            const isNear = source === selected || target === selected;
            return (
              <line
                key={`${source} ${kind} ${type} ${target}`}
                class={isNear ? "edge near" : "edge"}
                data-kind={kind}
                data-ended={ended !== null}
                x1={a.x}
                y1={a.y}
                x2={b.x}
                y2={b.y}
              />
            );
          })}
          {nodes.map((node) => {
            const at = placed.get(node.id);
            if (at === undefined) return null;
            const radius = 5 + Math.min(9, Math.sqrt(node.degree) * 1.6);
            return (
              <g
                key={node.id}
                class={node.id === selected ? "node selected" : "node"}
                data-kind={node.kind}
                transform={`translate(${at.x} ${at.y})`}
                role="button"
                tabIndex={0}
                aria-label={`${labelOf(node)}, ${node.type}, ${node.degree} connected`}
                aria-pressed={node.id === selected}
                onClick={() => onSelect(node.id)}
                onDblClick={() => onExpand(node.id)}
                onKeyDown={(event) => {
                  if (event.key !== "Enter" && event.key !== " ") return;
                  event.preventDefault();
                  if (node.id === selected) onExpand(node.id);
                  else onSelect(node.id);
                }}
              >
                <circle r={radius} />
                {labelled.has(node.id) && <text y={radius + 13}>{labelOf(node)}</text>}
                <title>{withVisibleControls(shorten(node.title, 200))}</title>
              </g>
            );
          })}
        </g>
      </svg>
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

function weight(node: MapNode, selected: string, center: string | undefined): number {
  const isWanted = node.id === selected || node.id === center;
  return (isWanted ? 1e6 : 0) + (node.kind === "concept" ? 50 : 0) + node.degree;
}

/** What is written at a node, and heard of it first. */
function labelOf({ title: stored, folded }: MapNode): string {
  const title = withVisibleControls(stored);
  return folded > 0 ? `${shorten(title, 28)} +${folded}` : shorten(title, 28);
}

/** So that everything is seen. */
function fitted(element: SVGSVGElement, placed: ReadonlyMap<string, Placed>): View {
  const { width, height } = element.getBoundingClientRect();
  const xs = Array.from(placed.values(), ({ x }) => x);
  const ys = Array.from(placed.values(), ({ y }) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    1.1,
    (width - 2 * MARGIN) / Math.max(1, right - left),
    (height - 2 * MARGIN) / Math.max(1, bottom - top),
  );
  const used = Math.max(0.1, scale);
  return {
    x: width / 2 - ((left + right) / 2) * used,
    y: height / 2 - ((top + bottom) / 2) * used,
    scale: used,
  };
}
