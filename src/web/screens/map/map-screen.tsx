import { useState } from "preact/hooks";
import { Failure } from "../../components/failure.tsx";
import { useTargets } from "../../components/use-screen-actions.ts";
import { Waiting } from "../../components/waiting.tsx";
import type { MapNode } from "../../map/scene.ts";
import { usePage } from "../../page.ts";
import { MapHead } from "./map-head.tsx";
import { MapPanel } from "./map-panel.tsx";
import { MapPicture } from "./map-picture.tsx";
import { mapQueryOf } from "./map-query.ts";
import { MapTable } from "./map-table.tsx";
import { TimeSlider } from "./time-slider.tsx";
import { useGraph } from "./use-graph.ts";

export function MapScreen() {
  const { router } = usePage();
  const query = mapQueryOf(router.place.value.query);
  const { center, selected: sel, at, isTable } = query;
  const [wanted, setWanted] = useState(center);
  const { output, failure, again, nodes, edges, hidden, placed } = useGraph(query);
  useTargets({ ids: sel === "" ? [] : [sel], count: sel === "" ? 0 : 1 });
  const selected = nodes.find(({ id }) => id === sel);
  return (
    <div class="map-screen">
      <MapHead query={query} wanted={wanted} onInput={setWanted} />
      <MapLine at={at} nodes={nodes} hidden={hidden} />
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

interface MapLineProps {
  readonly at: string;
  readonly nodes: readonly MapNode[];
  readonly hidden: number;
}

/** When what is shown was valid, and how much of it there is. */
function MapLine({ at, nodes, hidden }: MapLineProps) {
  const { router } = usePage();
  return (
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
  );
}
