import { useMemo, useState } from "preact/hooks";
import type { InputOf } from "../../../memory/index.ts";
import { Failure } from "../../components/failure.tsx";
import { SuggestField } from "../../components/suggest-field.tsx";
import { useTargets } from "../../components/use-screen-actions.ts";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { useLayout } from "../../map/use-layout.ts";
import { usePage } from "../../page.ts";
import { connectedParts } from "./connected-parts.ts";
import { MapPanel } from "./map-panel.tsx";
import { MapPicture } from "./map-picture.tsx";
import { MapTable } from "./map-table.tsx";
import { TimeSlider } from "./time-slider.tsx";

/** So many nodes are drawn as one likes; the server folds the rest. */
const NODES = [150, 500, 2_000, 5_000] as const;
/** Parts of the picture with fewer nodes are hidden behind a chip. */
const SMALL = 3;

/** What is connected with an item, or with the strongest concepts; as a picture and as a table. */
export function MapScreen() {
  const { router } = usePage();
  const { query } = router.place.value;
  const { center = "", sel = "", at = "" } = query;
  const depth = Math.min(3, Math.max(1, Number(query.depth ?? 1) || 1));
  const kinds = query.kinds?.split(",").filter(Boolean) ?? [];
  const most = NODES.find((count) => count === Number(query.nodes)) ?? NODES[0];
  const isTable = query.view === "table";
  const [wanted, setWanted] = useState(center);
  const input = {
    ...(center !== "" && { center }),
    ...(kinds.length > 0 && { kinds }),
    ...(at !== "" && { valid_at: at }),
    depth,
    limit: most,
  } as InputOf<"graph_neighbourhood">;
  const { output, failure, again } = useQuestion("graph_neighbourhood", input, {
    pause: most > 500 ? 15_000 : 2_000,
  });
  const { nodes, edges, hidden } = useMemo(() => {
    if (output === undefined) return { nodes: [], edges: [], hidden: 0 };
    const shown =
      query.small === "show" || center !== ""
        ? new Set(output.nodes.map(({ id }) => id))
        : connectedParts(output.nodes, output.edges, SMALL);
    return {
      nodes: output.nodes.filter(({ id }) => shown.has(id)),
      edges: output.edges.filter(({ source, target }) => shown.has(source) && shown.has(target)),
      hidden: output.nodes.length - shown.size,
    };
  }, [output, query.small, center]);
  const ids = useMemo(() => nodes.map(({ id }) => id), [nodes]);
  const links = useMemo(() => {
    const places = new Map(ids.map((id, index) => [id, index]));
    return edges.flatMap(({ source, target }) => {
      const [from, to] = [places.get(source), places.get(target)];
      return from === undefined || to === undefined ? [] : [{ source: from, target: to }];
    });
  }, [ids, edges]);
  const placed = useLayout(ids, links);
  useTargets({ ids: sel === "" ? [] : [sel], count: sel === "" ? 0 : 1 });
  const selected = nodes.find(({ id }) => id === sel);
  return (
    <div class="map-screen">
      <div class="find-head">
        <h1 class="unseen">Map</h1>
        <form
          class="map-center"
          onSubmit={(event) => {
            event.preventDefault();
            router.setQuery({ center: wanted.trim(), sel: wanted.trim() }, "push");
          }}
        >
          <SuggestField
            kind="entity"
            label="Around (an entity, ep:3, a concept); empty for what is strongest"
            value={wanted}
            onInput={setWanted}
          />
        </form>
        <label class="field">
          Depth
          <select
            value={String(depth)}
            onChange={({ currentTarget }) =>
              router.setQuery({ depth: currentTarget.value }, "push")
            }
          >
            <option value="1">1</option>
            <option value="2">2</option>
            <option value="3">3</option>
          </select>
        </label>
        <label class="field">
          Nodes
          <select
            value={String(most)}
            onChange={({ currentTarget }) =>
              router.setQuery({ nodes: currentTarget.value }, "push")
            }
          >
            {NODES.map((count) => (
              <option key={count} value={String(count)}>
                {count.toLocaleString("en")}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Show
          <select
            value={kinds.join(",")}
            onChange={({ currentTarget }) =>
              router.setQuery({ kinds: currentTarget.value }, "push")
            }
          >
            <option value="">everything</option>
            <option value="concept">concepts</option>
            <option value="concept,episode">concepts and episodes</option>
            <option value="concept,entity">concepts and entities</option>
            <option value="entity">entities</option>
          </select>
        </label>
        <button
          type="button"
          class="button"
          onClick={() => router.setQuery({ view: isTable ? "" : "table" }, "push")}
        >
          {isTable ? "As a picture" : "As a table"}
        </button>
      </div>
      <div class="map-line">
        <TimeSlider value={at} onChange={(moment) => router.setQuery({ at: moment })} />
        <span class="quiet" role="status">
          {nodes.length.toLocaleString("en")} shown
          {nodes.some(({ folded }) => folded > 0) && ", more are folded (+n)"}
        </span>
        {hidden > 0 && (
          <button type="button" class="chip" onClick={() => router.setQuery({ small: "show" })}>
            {hidden} in small groups, show
          </button>
        )}
      </div>
      {failure !== undefined && <Failure of={failure} again={again} />}
      {output === undefined && failure === undefined && <Waiting rows={4} />}
      {output !== undefined && nodes.length === 0 && (
        <p class="empty">Nothing is connected here yet: concepts and entities make the map.</p>
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
