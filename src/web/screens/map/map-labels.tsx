import { useLayoutEffect, useRef } from "preact/hooks";
import { shorten } from "../../../shared/text.ts";
import { withVisibleControls } from "../../data/stored-text.ts";
import { nodeTowards } from "../../map/find-node.ts";
import type { Labels } from "../../map/place-labels.ts";
import type { Scene } from "../../map/scene.ts";

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
export function MapLabels(props: MapLabelsProps) {
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
      aria-label="Map. Arrows go from node to node, Enter selects and then expands, + and - zoom. The table holds the same."
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
