import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { axisOf, lanesOf, type StoryFact } from "./story-lanes.ts";
import { StoryPicture } from "./story-picture.tsx";
import { StoryTable } from "./story-table.tsx";

const MAX_ITEMS = 200;

export function EntityStory({ id, facts }: { id: string; facts: readonly StoryFact[] }) {
  const { router } = usePage();
  const { as_of: then, story } = router.place.value.query;
  const found = useQuestion("items", {
    kinds: ["episode"],
    entity: id,
    limit: MAX_ITEMS,
    sort: "oldest",
  });
  const written = useQuestion("history", { id, limit: 50 });
  const episodes = (found.output?.items ?? []).filter(({ fact_id: fact }) => fact === null);
  const changes = (written.output?.events ?? []).map(({ seq, ts, kind }) => ({
    id: String(seq),
    at: ts,
    text: kind,
  }));
  const end = then ? Date.parse(`${then.slice(0, 10)}T23:59:59Z`) : Date.now();
  const times = [
    ...facts.map(({ valid_from: from }) => from),
    ...[...episodes, ...changes].map(({ at }) => at),
  ];
  const lanes = lanesOf(facts.filter(({ valid_from: from }) => Date.parse(from) <= end));
  const isTable = story === "table";
  return (
    <section class="story" aria-label="Story">
      <p class="quiet">
        One axis, a lane for each thing that is said of it.{" "}
        <button
          type="button"
          class="button"
          aria-pressed={isTable}
          onClick={() => router.setQuery({ story: isTable ? "" : "table" })}
        >
          As a table
        </button>
      </p>
      {isTable ? (
        <StoryTable lanes={lanes} episodes={episodes} />
      ) : (
        <StoryPicture
          axis={axisOf(times.map(Date.parse), end)}
          lanes={lanes}
          dotLanes={[
            { name: "Episodes", dots: episodes },
            { name: "Changes", dots: changes },
          ]}
        />
      )}
    </section>
  );
}
