import { useMemo, useState } from "preact/hooks";
import type { InputOf } from "../../../memory/index.ts";
import { shorten } from "../../../shared/text.ts";
import { Button, Form, IconButton, SelectField } from "../../components/controls.tsx";
import { Failure } from "../../components/failure.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Stored } from "../../components/stored.tsx";
import { SuggestField } from "../../components/suggest-field.tsx";
import { useTargets } from "../../components/use-screen-actions.ts";
import { useQuery } from "../../data/use-query.ts";
import { type MapEdge, type MapNode, useLayout } from "../../map/scene.ts";
import { usePage } from "../../page.ts";
import { MapPicture } from "./map-picture.tsx";
import { MapTable } from "./map-table.tsx";

/** Choices for the maximum number of nodes; the server folds the rest. */
const NODES = [150, 500, 2_000, 5_000] as const;

interface MapQuery {
  readonly center: string;
  readonly selected: string;
  /** Date of the displayed state; empty for now. */
  readonly day: string;
  readonly depth: number;
  readonly kinds: readonly string[];
  readonly most: number;
  readonly isTable: boolean;
  /** True if small groups are shown. */
  readonly hasSmall: boolean;
}

function getMapQuery(query: Readonly<Record<string, string | undefined>>): MapQuery {
  const { center = "", sel = "", as_of: day = "" } = query;
  return {
    center,
    selected: sel,
    day,
    depth: Math.min(3, Math.max(1, Number(query.depth ?? 1) || 1)),
    kinds: query.kinds?.split(",").filter(Boolean) ?? [],
    most: NODES.find((count) => count === Number(query.nodes)) ?? NODES[0],
    isTable: query.view === "table",
    hasSmall: query.small === "show" || center !== "",
  };
}

function inputOfMap(query: MapQuery): InputOf<"graph_neighbourhood"> {
  const { center, kinds, day, depth, most } = query;
  return {
    ...(center !== "" && { center }),
    ...(kinds.length > 0 && { kinds }),
    ...(day !== "" && { valid_at: day }),
    depth,
    limit: most,
  } as InputOf<"graph_neighbourhood">;
}

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
      <Form
        class="map-center"
        onSubmit={() => router.setQuery({ center: wanted.trim(), sel: wanted.trim() }, "push")}
      >
        <SuggestField
          kind="entity"
          label="Center (entity, episode or concept)"
          value={wanted}
          onInput={onInput}
        />
      </Form>
      <SelectField
        label="Depth"
        value={String(depth)}
        options={DEPTHS}
        onChange={(value) => router.setQuery({ depth: value }, "push")}
      />
      <SelectField
        label="Nodes"
        value={String(most)}
        options={COUNTS}
        onChange={(value) => router.setQuery({ nodes: value }, "push")}
      />
      <SelectField
        label="Show"
        value={kinds.join(",")}
        options={KINDS}
        onChange={(value) => router.setQuery({ kinds: value }, "push")}
      />
      <Button onClick={() => router.setQuery({ view: isTable ? "" : "table" }, "push")}>
        {isTable ? "Graph" : "Table"}
      </Button>
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

/** Connected parts with fewer nodes are hidden until the user shows them. */
const SMALL = 3;

function useGraph(query: MapQuery) {
  const { hasSmall, most } = query;
  const { output, failure, retry } = useQuery("graph_neighbourhood", inputOfMap(query), {
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
  return { output, failure, retry, nodes, edges, hidden, placed };
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
  readonly node: MapNode;
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

/** Maximum entries; more would be too long for a glance. */
const SHOWN = 12;

function MapPanel({ node, nodes, edges }: MapPanelProps) {
  const { router } = usePage();
  const { query } = router.location.value;
  const { id, title, type, degree } = node;
  const nearby = edges.filter(({ source, target }) => source === id || target === id);
  const getTitle = (other: string) => nodes.find((node) => node.id === other)?.title ?? other;
  return (
    <aside class="map-panel" aria-label={`Item ${id}`}>
      <p class="map-panel-head">
        <Stored as="b" text={shorten(title, 200)} />
        <IconButton icon="close" label="Close" onClick={() => router.setQuery({ sel: "" })} />
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

export function MapScreen() {
  const { router } = usePage();
  const query = getMapQuery(router.location.value.query);
  const { center, selected: sel, isTable } = query;
  const [requested, setWanted] = useState(center);
  const { output, failure, retry, nodes, edges, hidden, placed } = useGraph(query);
  useTargets({ ids: sel === "" ? [] : [sel], count: sel === "" ? 0 : 1 });
  const selected = nodes.find(({ id }) => id === sel);
  return (
    <div class="map-screen">
      <MapHead query={query} wanted={requested} onInput={setWanted} />
      <MapLine nodes={nodes} hidden={hidden} />
      {failure !== undefined && <Failure error={failure} retry={retry} />}
      {output === undefined && failure === undefined && <Loading rows={4} />}
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
          <MapPanel node={selected} nodes={nodes} edges={edges} />
        )}
      </div>
    </div>
  );
}

interface MapLineProps {
  readonly nodes: readonly MapNode[];
  readonly hidden: number;
}

function MapLine({ nodes, hidden }: MapLineProps) {
  const { router } = usePage();
  return (
    <div class="map-line">
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
