import { useRef, useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { ItemLines, Link } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";
import { FirstSteps, ImportFile } from "./import-file.tsx";

/** Counts by kind, each linked to its list. */
function Amounts({ stats }: { readonly stats: OutputOf<"stats"> }) {
  const { router } = usePage();
  const amounts = [
    { kind: "episode", count: stats.episodes.total, title: "episodes" },
    { kind: "fact", count: stats.facts.active, title: "active facts" },
    { kind: "concept", count: stats.concepts.total, title: "concepts" },
    { kind: "entity", count: stats.entities, title: "entities" },
  ];
  return (
    <ul class="numbers">
      {amounts.map(({ kind, count, title }) => (
        <li key={kind}>
          <Link to={router.href({ screen: "find", query: { kinds: kind } })}>
            <strong>{count.toLocaleString("en")}</strong> {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const DAYS = 90;
const DAY_MS = 86_400_000;

function Days({ buckets }: { readonly buckets: OutputOf<"timeline">["buckets"] }) {
  const { router } = usePage();
  const counts = new Map(buckets.map(({ start, count }) => [start, count]));
  const today = Date.now();
  const days = Array.from({ length: DAYS }, (_, back) =>
    new Date(today - (DAYS - 1 - back) * DAY_MS).toISOString().slice(0, 10),
  );
  const highest = Math.max(1, ...days.map((day) => counts.get(day) ?? 0));
  const total = days.reduce((sum, day) => sum + (counts.get(day) ?? 0), 0);
  const chart = useRef<HTMLDivElement>(null);
  const written = days.filter((day) => counts.has(day));
  const last = written.at(-1);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const links = [...(chart.current?.querySelectorAll("a") ?? [])];
    const at = links.indexOf(event.target as HTMLAnchorElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
  };
  return (
    <figure class="days">
      <div
        ref={chart}
        class="day-bars"
        role="group"
        aria-label={`${total} items in the last ${DAYS} days`}
        onKeyDown={move}
      >
        {days.map((day) => {
          const count = counts.get(day) ?? 0;
          if (count === 0) return <span key={day} />;
          const to = router.href({ screen: "find", query: { since: day, until: day } });
          const name = `${day}: ${count.toLocaleString("en")}`;
          return (
            <Link
              key={day}
              to={to}
              title={name}
              aria-label={name}
              tabIndex={day === last ? 0 : -1}
              style={{ height: `${(100 * count) / highest}%` }}
            />
          );
        })}
      </div>
      <figcaption class="quiet">
        <span>{days[0]}</span>
        <span>{total.toLocaleString("en")} in 90 days</span>
        <span>today</span>
      </figcaption>
    </figure>
  );
}

const MAX_ITEMS = 8;

function NewestAndStrongest({ countPause }: { readonly countPause: number }) {
  const { as_of: asOf } = usePage().router.location.value.query;
  const request = { kinds: ["episode"], limit: MAX_ITEMS, ...(asOf && { as_of: asOf }) };
  const newest = useQuery("items", request, { pause: 1_000 });
  const scope = `bootstrap:${MAX_ITEMS}`;
  const strongest = useQuery("snapshot", { scopes: [scope] }, { pause: countPause });
  const strong = asOf ? [] : getConcepts(strongest.output?.[scope]);
  return (
    <div class="columns">
      <section>
        <h2>Recent</h2>
        <ItemLines lines={newest.output?.items ?? []} />
      </section>
      {strong.length > 0 && (
        <section>
          <h2>Top concepts</h2>
          <ItemLines
            lines={strong.map(({ id, title, summary, type }) => ({
              id,
              type,
              title,
              text: summary,
            }))}
          />
        </section>
      )}
    </div>
  );
}

interface Strong {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly type: string;
}

function getConcepts(section: unknown): Strong[] {
  return ((section as { concepts?: Strong[] } | undefined)?.concepts ?? []).slice(0, MAX_ITEMS);
}

/** Milliseconds between two counts, which are expensive for a large memory. */
const COUNT_PAUSE = 10_000;

export function HomeScreen() {
  const { router, session } = usePage();
  const { output, failure, retry } = useQuery("stats", {}, { pause: COUNT_PAUSE });
  // The first write creates the database.
  const { as_of: asOf } = router.location.value.query;
  const isMissing = failure?.code === "not_found";
  if (failure !== undefined && !isMissing) return <Failure error={failure} retry={retry} />;
  const isEmpty = isMissing || (output?.episodes.total === 0 && output.concepts.total === 0);
  return (
    <div class="page-body home">
      <div class="screen-head">
        <h1>{router.location.value.db}</h1>
        <ActionButton id="write-remember">Add memory</ActionButton>
      </div>
      {isEmpty ? (
        <FirstSteps isMissing={isMissing} />
      ) : output === undefined ? (
        <Loading rows={3} />
      ) : (
        <>
          {!asOf && <Amounts stats={output} />}
          {!asOf && (
            <WaitingWork open={output.conflicts.open ?? 0} pending={output.consolidation.pending} />
          )}
          {!asOf && <RecentDays />}
          <NewestAndStrongest countPause={COUNT_PAUSE} />
          {session.canWrite && <ImportFolded />}
        </>
      )}
    </div>
  );
}

function RecentDays() {
  const request = { kinds: ["episode"], since: "90d" };
  const days = useQuery("timeline", request, { pause: COUNT_PAUSE });
  return <Days buckets={days.output?.buckets ?? []} />;
}

function ImportFolded() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Import from another tool</summary>
      {isOpen && <ImportFile />}
    </details>
  );
}

interface WaitingWorkProps {
  /** Number of open conflicts. */
  readonly open: number;
  readonly pending: number;
}

function WaitingWork({ open, pending }: WaitingWorkProps) {
  const { router } = usePage();
  if (open === 0 && pending === 0) return null;
  return (
    <p class="waiting-work">
      {open > 0 && (
        <Link class="button primary" to={router.href({ screen: "inbox" })}>
          Resolve {open.toLocaleString("en")} {open === 1 ? "conflict" : "conflicts"}
        </Link>
      )}
      {pending > 0 && (
        <Link class="button" to={router.href({ screen: "inbox", query: { part: "pending" } })}>
          {pending.toLocaleString("en")} unreviewed
        </Link>
      )}
    </p>
  );
}
