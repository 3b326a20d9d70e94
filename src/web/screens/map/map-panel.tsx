import { shorten } from "../../../shared/text.ts";
import { ItemLink, Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import type { MapEdge, MapNode } from "../../map/scene.ts";
import { usePage } from "../../page.ts";

interface MapPanelProps {
  readonly of: MapNode;
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

/** More would be a list and no glance. */
const SHOWN = 12;

export function MapPanel({ of, nodes, edges }: MapPanelProps) {
  const { router } = usePage();
  const { query } = router.place.value;
  const { id, title, type, degree } = of;
  const near = edges.filter(({ source, target }) => source === id || target === id);
  const titleOf = (other: string) => nodes.find((node) => node.id === other)?.title ?? other;
  return (
    <aside class="map-panel" aria-label={`Item ${id}`}>
      <p class="map-panel-head">
        <Stored as="b" text={shorten(title, 200)} />
        <button
          type="button"
          class="icon-button"
          aria-label="Close"
          onClick={() => router.setQuery({ sel: "" })}
        >
          ×
        </button>
      </p>
      <p class="quiet">
        {type}, {degree.toLocaleString("en")} connected
      </p>
      <ul>
        {near.slice(0, SHOWN).map((edge) => {
          const isFrom = edge.source === id;
          const other = isFrom ? edge.target : edge.source;
          return (
            <li key={`${edge.source} ${edge.kind} ${edge.type} ${edge.target}`}>
              <span class="type">
                {isFrom ? "→" : "←"} {edge.type.replaceAll("_", " ")}
              </span>{" "}
              <ItemLink id={other}>
                <Stored text={shorten(titleOf(other), 80)} />
              </ItemLink>
            </li>
          );
        })}
      </ul>
      {near.length > SHOWN && (
        <p class="quiet">and {(near.length - SHOWN).toLocaleString("en")} more</p>
      )}
      <p class="item-actions">
        <Link class="button" to={router.href({ screen: "item", id })}>
          Open
        </Link>
        <Link class="button" to={router.href({ screen: "map", query: { ...query, center: id } })}>
          Expand
        </Link>
      </p>
    </aside>
  );
}
