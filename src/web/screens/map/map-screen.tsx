import { useMemo, useState } from "preact/hooks";
import { shorten } from "../../../shared/text.ts";
import { Failure } from "../../components/failure.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { SuggestField } from "../../components/suggest-field.tsx";
import { useTargets } from "../../components/use-screen-actions.ts";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import type { MapNode } from "../../map/scene.ts";
import { type MapEdge, useLayout } from "../../map/scene.ts";
import { usePage } from "../../page.ts";
import { MapPicture } from "./map-picture.tsx";
import { getMapQuery, inputOfMap, type MapQuery, NODES } from "./map-query.ts";
import { MapTable } from "./map-table.tsx";

interface MapHeadProps {
  readonly query: MapQuery;
  readonly wanted: string;
  onInput(requested: string): void;
}

function MapHead({ query, wanted, onInput }: MapHeadProps) {
  const { router } = usePage();
  const { depth, most, kinds, isTable } = query;
  return (
    <div class="find-head">
      <h1 class="unseen">Graph</h1>
      <form
        class="map-center"
        onSubmit={(event) => {
          event.preventDefault();
          router.setQuery({ center: wanted.trim(), sel: wanted.trim() }, "push");
        }}
      >
        <SuggestField
          kind="entity"
          label="Center (entity, episode or concept)"
          value={wanted}
          onInput={onInput}
        />
      </form>
      <Choice label="Depth" name="depth" value={String(depth)} options={DEPTHS} />
      <Choice label="Nodes" name="nodes" value={String(most)} options={COUNTS} />
      <Choice label="Show" name="kinds" value={kinds.join(",")} options={KINDS} />
      <button
        type="button"
        class="button"
        onClick={() => router.setQuery({ view: isTable ? "" : "table" }, "push")}
      >
        {isTable ? "Graph" : "Table"}
      </button>
    </div>
  );
}

type Options = readonly (readonly [value: string, shown: string])[];

const DEPTHS: Options = [
  ["1", "1"],
  ["2", "2"],
  ["3", "3"],
];

const COUNTS: Options = NODES.map((count) => [String(count), count.toLocaleString("en")]);

const KINDS: Options = [
  ["", "everything"],
  ["concept", "concepts"],
  ["concept,episode", "concepts and episodes"],
  ["concept,entity", "concepts and entities"],
  ["entity", "entities"],
];

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: Options;
}

function Choice({ label, name, value, options }: ChoiceProps) {
  const { router } = usePage();
  return (
    <label class="field">
      {label}
      <select
        value={value}
        onChange={({ currentTarget }) => router.setQuery({ [name]: currentTarget.value }, "push")}
      >
        {options.map(([one, shown]) => (
          <option key={one} value={one}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Connected parts with fewer nodes are hidden until the user shows them. */
const SMALL = 3;

function useGraph(query: MapQuery) {
  const { hasSmall, most } = query;
  const { output, failure, again } = useQuestion("graph_neighbourhood", inputOfMap(query), {
    pause: most > 500 ? 15_000 : 2_000,
  });
  const { nodes, edges, hidden } = useMemo(() => {
    if (output === undefined) return { nodes: [], edges: [], hidden: 0 };
    const shown = hasSmall
      ? new Set(output.nodes.map(({ id }) => id))
      : connectedParts(output.nodes, output.edges, SMALL);
    return {
      nodes: output.nodes.filter(({ id }) => shown.has(id)),
      edges: output.edges.filter(({ source, target }) => shown.has(source) && shown.has(target)),
      hidden: output.nodes.length - shown.size,
    };
  }, [output, hasSmall]);
  const ids = useMemo(() => nodes.map(({ id }) => id), [nodes]);
  const links = useMemo(() => {
    const indexes = new Map(ids.map((id, index) => [id, index]));
    return edges.flatMap(({ source, target }) => {
      const [from, to] = [indexes.get(source), indexes.get(target)];
      return from === undefined || to === undefined ? [] : [{ source: from, target: to }];
    });
  }, [ids, edges]);
  const placed = useLayout(ids, links);
  return { output, failure, again, nodes, edges, hidden, placed };
}

interface Edge {
  readonly source: string;
  readonly target: string;
}

/**
 * Returns ids of nodes in connected parts of at least `least` nodes; all ids if there is no such
 * part.
 */
function connectedParts(
  nodes: readonly { readonly id: string }[],
  edges: readonly Edge[],
  least: number,
): ReadonlySet<string> {
  const neighbours = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { source, target } of edges) {
    neighbours.get(source)?.push(target);
    neighbours.get(target)?.push(source);
  }
  const large = new Set<string>();
  const seen = new Set<string>();
  for (const { id } of nodes) {
    if (seen.has(id)) continue;
    const part = [id];
    seen.add(id);
    for (const member of part) {
      for (const next of neighbours.get(member) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        part.push(next);
      }
    }
    if (part.length >= least) for (const member of part) large.add(member);
  }
  return large.size === 0 ? seen : large;
}

interface MapPanelProps {
  readonly of: MapNode;
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

/** Maximum entries; more would be too long for a glance. */
const SHOWN = 12;

function MapPanel({ of, nodes, edges }: MapPanelProps) {
  const { router } = usePage();
  const { query } = router.place.value;
  const { id, title, type, degree } = of;
  const nearby = edges.filter(({ source, target }) => source === id || target === id);
  const getTitle = (other: string) => nodes.find((node) => node.id === other)?.title ?? other;
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
        {nearby.slice(0, SHOWN).map((edge) => {
          const isFrom = edge.source === id;
          const other = isFrom ? edge.target : edge.source;
          return (
            <li key={`${edge.source} ${edge.kind} ${edge.type} ${edge.target}`}>
              <span class="type">
                {isFrom ? "→" : "←"} {edge.type.replaceAll("_", " ")}
              </span>{" "}
              <ItemLink id={other}>
                <Stored text={shorten(getTitle(other), 80)} />
              </ItemLink>
            </li>
          );
        })}
      </ul>
      {nearby.length > SHOWN && (
        <p class="quiet">and {(nearby.length - SHOWN).toLocaleString("en")} more</p>
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

const DAYS = 730;
const DAY_MS = 86_400_000;

function TimeSlider({ value, onChange }: { readonly value: string; onChange(day: string): void }) {
  const today = Math.floor(Date.now() / DAY_MS);
  const back = value === "" ? 0 : today - Math.floor(Date.parse(value) / DAY_MS);
  return (
    <label class="time-slider">
      <span>{value === "" ? "As of now" : `Valid at ${value}`}</span>
      <input
        type="range"
        min={0}
        max={DAYS}
        value={DAYS - Math.min(DAYS, Math.max(0, back))}
        onInput={({ currentTarget }) => {
          const days = DAYS - Number(currentTarget.value);
          onChange(days === 0 ? "" : new Date((today - days) * DAY_MS).toISOString().slice(0, 10));
        }}
      />
    </label>
  );
}

export function MapScreen() {
  const { router } = usePage();
  const query = getMapQuery(router.place.value.query);
  const { center, selected: sel, at, isTable } = query;
  const [requested, setWanted] = useState(center);
  const { output, failure, again, nodes, edges, hidden, placed } = useGraph(query);
  useTargets({ ids: sel === "" ? [] : [sel], count: sel === "" ? 0 : 1 });
  const selected = nodes.find(({ id }) => id === sel);
  return (
    <div class="map-screen">
      <MapHead query={query} wanted={requested} onInput={setWanted} />
      <MapLine at={at} nodes={nodes} hidden={hidden} />
      {failure !== undefined && <Failure of={failure} again={again} />}
      {output === undefined && failure === undefined && <Waiting rows={4} />}
      {output !== undefined && nodes.length === 0 && (
        <p class="empty">No concepts or entities yet.</p>
      )}
      <div class="map-body">
        {nodes.length > 0 &&
          (isTable ? (
            <MapTable nodes={nodes} edges={edges} />
          ) : (
            <MapPicture
              nodes={nodes}
              edges={edges}
              placed={placed}
              selected={sel}
              center={output?.center ?? undefined}
              onSelect={(id) => router.setQuery({ sel: id })}
              onExpand={(id) => {
                setWanted(id);
                router.setQuery({ center: id, sel: id }, "push");
              }}
            />
          ))}
        {selected !== undefined && !isTable && (
          <MapPanel of={selected} nodes={nodes} edges={edges} />
        )}
      </div>
    </div>
  );
}

interface MapLineProps {
  readonly at: string;
  readonly nodes: readonly MapNode[];
  readonly hidden: number;
}

/** States the date of the map and the number of nodes. */
function MapLine({ at, nodes, hidden }: MapLineProps) {
  const { router } = usePage();
  return (
    <div class="map-line">
      <TimeSlider value={at} onChange={(moment) => router.setQuery({ at: moment })} />
      <span class="quiet" role="status">
        {nodes.length.toLocaleString("en")} shown
        {nodes.some(({ folded }) => folded > 0) && ", +n: more connections"}
      </span>
      {hidden > 0 && (
        <button type="button" class="chip" onClick={() => router.setQuery({ small: "show" })}>
          {hidden} in small groups: show
        </button>
      )}
    </div>
  );
}
