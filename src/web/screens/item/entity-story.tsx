import { shorten } from "../../../kernel/shorten.ts";
import type { OutputOf } from "../../../memory/index.ts";
import { ItemLink } from "../../components/link.tsx";
import { Said } from "../../components/said.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { lanesOf, type StoryFact, ticksOf } from "./story-lanes.ts";

const MOST = 200;
/** Facts of one lane may hold at the same time: each has a row. */
const ROW_PX = 10;

/** What is said of an entity, each attribute a lane on one axis of time, with what happened beside it. */
export function EntityStory({ id, facts }: { id: string; facts: readonly StoryFact[] }) {
  const { router } = usePage();
  const { as_of: then, story } = router.place.value.query;
  const found = useQuestion("items", {
    kinds: ["episode"],
    entity: id,
    limit: MOST,
    sort: "oldest",
  });
  const written = useQuestion("history", { id, limit: 50 });
  const episodes = (found.output?.items ?? []).filter(({ fact_id: fact }) => fact === null);
  const changes = written.output?.events ?? [];
  const end = then ? Date.parse(`${then.slice(0, 10)}T23:59:59Z`) : Date.now();
  const times = [
    ...facts.map(({ valid_from: from }) => Date.parse(from)),
    ...episodes.map(({ at }) => Date.parse(at)),
    ...changes.map(({ ts }) => Date.parse(ts)),
  ].filter((time) => time <= end);
  const begin = Math.min(...times, end - 1);
  const share = (time: number) =>
    `${Math.round((1000 * (Math.min(time, end) - begin)) / (end - begin)) / 10}%`;
  const lanes = lanesOf(facts.filter(({ valid_from: from }) => Date.parse(from) <= end));
  const dots = [
    { name: "Episodes", of: episodes.map(({ id: of, at, text }) => ({ id: of, at, text })) },
    {
      name: "Changes",
      of: changes.map(({ seq, ts, kind }) => ({ id: String(seq), at: ts, text: kind })),
    },
  ];
  return (
    <section class="story" aria-label="Story">
      <p class="quiet">
        One axis, a lane for each thing that is said of it.{" "}
        <button
          type="button"
          class="button"
          aria-pressed={story === "table"}
          onClick={() => router.setQuery({ story: story === "table" ? "" : "table" })}
        >
          As a table
        </button>
      </p>
      {story === "table" ? (
        <StoryTable lanes={lanes} episodes={episodes} />
      ) : (
        <div
          class="lanes"
          role="img"
          aria-label={`${lanes.length} lanes, ${episodes.length} episodes, ${changes.length} changes`}
        >
          <div class="lane axis">
            <span />
            <div class="lane-track">
              {ticksOf(begin, end).map(({ time, title }) => (
                <span key={title} class="tick" style={{ insetInlineStart: share(time) }}>
                  {title}
                </span>
              ))}
            </div>
          </div>
          {lanes.map(({ key, title, facts: said }) => (
            <div key={key} class="lane">
              <span class="lane-title">
                <Stored text={title} />
              </span>
              <div class="lane-track" style={{ minHeight: `${said.length * ROW_PX + 4}px` }}>
                {said.map((fact, row) => {
                  const from = Date.parse(fact.valid_from);
                  const to = fact.valid_to === null ? end : Date.parse(fact.valid_to);
                  return (
                    <span
                      key={fact.id}
                      class="fact-bar"
                      data-status={to >= end ? "active" : "superseded"}
                      title={`${fact.valid_from.slice(0, 10)}: ${fact.statement}`}
                      style={{
                        insetInlineStart: share(from),
                        insetBlockStart: `${row * ROW_PX + 3}px`,
                        width: `max(6px, calc(${share(to)} - ${share(from)} - 2px))`,
                      }}
                    />
                  );
                })}
              </div>
            </div>
          ))}
          {dots.map(({ name, of }) => (
            <div key={name} class="lane">
              <span class="lane-title">{name}</span>
              <div class="lane-track">
                {of
                  .filter(({ at }) => Date.parse(at) <= end)
                  .map((dot) => (
                    <span
                      key={dot.id}
                      class="dot"
                      title={`${dot.at.slice(0, 10)}: ${shorten(dot.text, 160)}`}
                      style={{
                        insetInlineStart: `max(0px, calc(${share(Date.parse(dot.at))} - 6px))`,
                      }}
                    />
                  ))}
              </div>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

interface StoryTableProps {
  readonly lanes: ReturnType<typeof lanesOf>;
  readonly episodes: OutputOf<"items">["items"];
}

function StoryTable({ lanes, episodes }: StoryTableProps) {
  const rows = [
    ...lanes.flatMap(({ title, facts }) =>
      facts.map((fact) => ({
        lane: title,
        id: fact.id,
        from: fact.valid_from,
        to: fact.valid_to,
        text: fact.statement,
      })),
    ),
    ...episodes.map(({ id, at, text }) => ({ lane: "Episodes", id, from: at, to: at, text })),
  ].sort((a, b) => a.from.localeCompare(b.from));
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Until</th>
          <th scope="col">Of</th>
          <th scope="col">What</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, lane, from, to, text }) => (
          <tr key={id}>
            <td>{from.slice(0, 10)}</td>
            <td>{to === null ? "now" : to.slice(0, 10)}</td>
            <td>
              <Stored text={lane} />
            </td>
            <td>
              <ItemLink id={id}>
                <Said text={shorten(text, 200)} />
              </ItemLink>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
