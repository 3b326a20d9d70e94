import type { OutputOf } from "../../../memory/index.ts";
import { shorten } from "../../../shared/text.ts";
import { ItemLines, ItemLink, Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";
import { FactTimeline } from "./fact-timeline.tsx";
import { ItemFrame } from "./item-frame.tsx";
import { MissingItem } from "./missing-item.tsx";

const ROW_PX = 10;

/** A timeline lane of events. */
interface DotLane {
  readonly name: string;
  readonly dots: readonly { readonly id: string; readonly at: string; readonly text: string }[];
}

interface StoryPictureProps {
  readonly axis: Axis;
  readonly lanes: readonly Lane[];
  readonly dotLanes: readonly DotLane[];
}

/** Timeline lanes on one axis: a bar for a fact's validity, a dot for an event. */
function StoryPicture({ axis, lanes, dotLanes }: StoryPictureProps) {
  const amounts = dotLanes.map(({ name, dots }) => `${dots.length} ${name.toLowerCase()}`);
  return (
    <div class="lanes" role="img" aria-label={[`${lanes.length} lanes`, ...amounts].join(", ")}>
      <div class="lane axis">
        <span />
        <div class="lane-track">
          {getTicks(axis.begin, axis.end).map(({ time, title }) => (
            <span key={title} class="tick" style={{ insetInlineStart: getShare(axis, time) }}>
              {title}
            </span>
          ))}
        </div>
      </div>
      {lanes.map(({ key, title, facts }) => (
        <div key={key} class="lane">
          <span class="lane-title">
            <Stored text={title} />
          </span>
          <div class="lane-track" style={{ minHeight: `${facts.length * ROW_PX + 4}px` }}>
            {facts.map((fact, row) => (
              <FactBar key={fact.id} fact={fact} row={row} axis={axis} />
            ))}
          </div>
        </div>
      ))}
      {dotLanes.map(({ name, dots }) => (
        <div key={name} class="lane">
          <span class="lane-title">{name}</span>
          <div class="lane-track">
            {dots
              .filter(({ at }) => Date.parse(at) <= axis.end)
              .map(({ id, at, text }) => (
                <span
                  key={id}
                  class="dot"
                  title={`${at.slice(0, 10)}: ${shorten(text, 160)}`}
                  style={{
                    insetInlineStart: `max(0px, calc(${getShare(axis, Date.parse(at))} - 6px))`,
                  }}
                />
              ))}
          </div>
        </div>
      ))}
    </div>
  );
}

interface FactBarProps {
  readonly fact: StoryFact;
  readonly row: number;
  readonly axis: Axis;
}

function FactBar({ fact, row, axis }: FactBarProps) {
  const from = getShare(axis, Date.parse(fact.valid_from));
  const end = fact.valid_to === null ? axis.end : Date.parse(fact.valid_to);
  return (
    <span
      class="fact-bar"
      data-status={end >= axis.end ? "active" : "superseded"}
      title={`${fact.valid_from.slice(0, 10)}: ${fact.statement}`}
      style={{
        insetInlineStart: from,
        insetBlockStart: `${row * ROW_PX + 3}px`,
        width: `max(6px, calc(${getShare(axis, end)} - ${from} - 2px))`,
      }}
    />
  );
}

const MAX_ITEMS = 200;

function EntityStory({ id, facts }: { id: string; facts: readonly StoryFact[] }) {
  const { router } = usePage();
  const { as_of: asOf } = router.location.value.query;
  const found = useQuery("items", {
    kinds: ["episode"],
    entity: id,
    limit: MAX_ITEMS,
    sort: "oldest",
  });
  const written = useQuery("history", { id, limit: 50 });
  const episodes = (found.output?.items ?? []).filter(({ fact_id: fact }) => fact === null);
  const changes = (written.output?.events ?? []).map(({ seq, ts, kind }) => ({
    id: String(seq),
    at: ts,
    text: kind,
  }));
  const end = asOf ? Date.parse(`${asOf.slice(0, 10)}T23:59:59Z`) : Date.now();
  const times = [
    ...facts.map(({ valid_from: from }) => from),
    ...[...episodes, ...changes].map(({ at }) => at),
  ];
  const lanes = getLanes(facts.filter(({ valid_from: from }) => Date.parse(from) <= end));
  return (
    <section class="story" aria-label="Story">
      <p class="quiet">Facts and episodes about this entity over time. The other tabs list them.</p>
      <StoryPicture
        axis={getAxis(times.map(Date.parse), end)}
        lanes={lanes}
        dotLanes={[
          { name: "Episodes", dots: episodes },
          { name: "Changes", dots: changes },
        ]}
      />
    </section>
  );
}

export function EntityView({ id }: { readonly id: string }) {
  const { router } = usePage();
  const { output, failure, retry } = useQuery("inspect_entity", { entity_id: id });
  const facts = useQuery("entity_facts", { entity_id: id, limit: 200 });
  if (output === undefined) return <MissingItem id={id} failure={failure} retry={retry} />;
  const { entity, episodes, relations = [] } = output;
  const known = facts.output?.facts ?? [];
  const all = router.href({ screen: "find", query: { entity: id } });
  return (
    <ItemFrame
      id={id}
      title={entity.name}
      canEdit={false}
      heading={{ type: entity.type, at: entity.created_at, isRecalled: false }}
      tabs={[
        {
          name: "story",
          title: "Story",
          body: () => <EntityStory id={id} facts={known} />,
        },
        ...(known.length > 0
          ? [
              {
                name: "facts",
                title: `Facts over time ${known.length}`,
                body: () => (
                  <FactTimeline facts={known} conflicts={facts.output?.conflicts ?? []} />
                ),
              },
            ]
          : []),
        {
          name: "episodes",
          title: "Episodes",
          body: () => <EntityEpisodes newest={episodes} />,
        },
        {
          name: "relations",
          title: `Relations ${relations.length}`,
          body: () => <EntityRelations relations={relations} />,
        },
      ]}
    >
      <p>
        <Link to={all}>{entity.mention_count.toLocaleString("en")} episodes</Link>
      </p>
    </ItemFrame>
  );
}

type Entity = OutputOf<"inspect_entity">;

interface EpisodesProps {
  readonly newest: Entity["episodes"];
}

function EntityEpisodes({ newest }: EpisodesProps) {
  return (
    <ItemLines
      lines={newest.map((episode) => ({
        id: episode.id,
        type: episode.episode_type,
        text: episode.content,
        at: episode.occurred_at ?? episode.created_at,
      }))}
    />
  );
}

type Relation = NonNullable<Entity["relations"]>[number];

function EntityRelations({ relations }: { readonly relations: readonly Relation[] }) {
  if (relations.length === 0) return <p class="quiet">No relations.</p>;
  return (
    <ul class="lines">
      {relations.map(({ source, target, relation }) => (
        <li key={`${source} ${relation} ${target}`}>
          <ItemLink id={source} /> <span class="type">{relation}</span> <ItemLink id={target} />
        </li>
      ))}
    </ul>
  );
}

type StoryFact = OutputOf<"entity_facts">["facts"][number];

interface Lane {
  readonly key: string;
  readonly title: string;
  /** Facts, oldest first. */
  readonly facts: readonly StoryFact[];
}

const MAX_CHARACTERS = 48;

function getLanes(facts: readonly StoryFact[]): Lane[] {
  const clusters = new Map<string, StoryFact[]>();
  for (const fact of facts) {
    const known = clusters.get(fact.cluster_id);
    if (known === undefined) clusters.set(fact.cluster_id, [fact]);
    else known.push(fact);
  }
  return Array.from(clusters, ([key, messages]) => {
    const sorted = [...messages].sort((a, b) => a.valid_from.localeCompare(b.valid_from));
    return { key, title: getTitle(sorted.map(({ statement }) => statement)), facts: sorted };
  }).sort((a, b) => (a.facts[0]?.valid_from ?? "").localeCompare(b.facts[0]?.valid_from ?? ""));
}

function getTitle(statements: readonly string[]): string {
  const [first = "", ...others] = statements;
  const words = first.split(/\s+/);
  const same = words.findIndex((word, index) =>
    others.some((other) => other.split(/\s+/)[index] !== word),
  );
  const begin = words.slice(0, same <= 0 ? words.length : same).join(" ");
  return shorten(begin, MAX_CHARACTERS);
}

/** Displayed time range. */
interface Axis {
  readonly begin: number;
  readonly end: number;
}

/** Returns an axis from the earliest time to `end`; later times are not shown. */
function getAxis(times: readonly number[], end: number): Axis {
  return { begin: Math.min(...times.filter((time) => time <= end), end - 1), end };
}

/** Position of a time on the axis as a CSS percentage, for example `41.5%`. */
function getShare({ begin, end }: Axis, time: number): string {
  return `${Math.round((1000 * (Math.min(time, end) - begin)) / (end - begin)) / 10}%`;
}

interface Tick {
  readonly time: number;
  readonly title: string;
}

const DAY_MS = 86_400_000;
const MAX_TICKS = 6;

/** Returns readable ticks: the starts of days, months or years in the range. */
function getTicks(begin: number, end: number): Tick[] {
  const days = (end - begin) / DAY_MS;
  const months = days <= MAX_TICKS ? 0 : days / 30;
  const step = Math.max(1, Math.ceil((months === 0 ? days : months) / MAX_TICKS));
  const ticks: Tick[] = [];
  const at = new Date(begin);
  at.setUTCHours(0, 0, 0, 0);
  if (months > 0) at.setUTCDate(1);
  while (ticks.length <= MAX_TICKS * 2) {
    if (months > 0) at.setUTCMonth(at.getUTCMonth() + step);
    else at.setUTCDate(at.getUTCDate() + step);
    // A label there would run past the end.
    if (at.getTime() > end - (end - begin) / 6) break;
    ticks.push({ time: at.getTime(), title: at.toISOString().slice(0, months > 0 ? 7 : 10) });
  }
  return ticks;
}
