import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { EventKind, InputOf } from "../../../memory/index.ts";
import { DayField } from "../../components/day-field.tsx";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { FILTERS } from "../../data/filters.ts";
import { filtersIn } from "../../data/page-filter.ts";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";
import { ChangeList } from "./change-list.ts";
import { ChangeRow } from "./change-row.tsx";

/** Labels of event kinds. */
const KINDS: Readonly<Record<EventKind, string>> = {
  remembered: "remembered",
  superseded: "superseded",
  conflict_opened: "conflict opened",
  conflict_resolved: "conflict resolved",
  conflict_dismissed: "conflict dismissed",
  concept_created: "concept created",
  updated: "updated",
  labeled: "labeled",
  unlabeled: "unlabeled",
  deleted: "deleted",
  restored: "restored",
  processed: "processed",
  source_read: "read on",
  learned: "learned",
  proposed: "proposed",
  accepted: "accepted",
  rejected: "rejected",
};

/** Filters of the address without a field. */
const FEED_FILTERS = FILTERS.filter(
  ({ name }) => name !== "by" && name !== "as_of" && name !== "known_at",
);

/** Filters the feed by kind, author, day and subject. */
function FeedFilters({ isLive }: { readonly isLive: boolean }) {
  const { router } = usePage();
  const { kind = "", author = "", day = "" } = router.location.value.query;
  const isFiltered = Object.keys(getFilter(router.location.value.query)).length > 0;
  const set = (change: Record<string, string>) =>
    router.setQuery({ ...change, before: "" }, "push");
  return (
    <div class="feed-filters">
      <label>
        <span class="unseen">Event</span>
        <select
          class="plain"
          value={kind}
          onChange={({ currentTarget }) => set({ kind: currentTarget.value })}
        >
          <option value="">All events</option>
          {Object.entries(KINDS).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label class="by">
        <span class="unseen">Author</span>
        <input
          placeholder="Anyone"
          value={author}
          onChange={({ currentTarget }) => set({ author: currentTarget.value.trim() })}
        />
      </label>
      <DayField value={day} onChange={(chosen) => set({ day: chosen })} />
      {(!isLive || isFiltered) && (
        <Link class="button" to={router.href({ screen: "feed" })}>
          {isLive ? "Clear filters" : "Newest"}
        </Link>
      )}
    </div>
  );
}

export function FeedScreen() {
  const { router } = usePage();
  const { change = "" } = router.location.value.query;
  return change === "" ? <Changes /> : <OneChange key={change} id={change} />;
}

/** Scrolling down pauses live updates. */
function Changes() {
  const { router, client, live, session } = usePage();
  const { db, query } = router.location.value;
  const key = JSON.stringify([db, query]);
  const filter = useMemo(() => getFilter(query), [key]);
  const list = useMemo(() => new ChangeList(client, { db, filter }), [client, db, filter]);
  const isPaused = usePausedByScrolling();
  const isLive = !query.before && !query.as_of;
  const paused = useRef(false);
  paused.current = isPaused;
  useEffect(() => {
    void list.load();
    return () => list.end();
  }, [list]);
  const revision = live.revision.value;
  useEffect(() => {
    if (revision > 0 && isLive) list.renew(paused.current);
  }, [list, revision, isLive]);
  const rows = list.rows.value;
  const waiting = list.waiting.value.length;
  const failure = list.failure.value;
  const isConnected = session.connection.value === "live";
  const state = !isLive ? "" : isPaused ? "Paused" : isConnected ? "Live" : "";
  return (
    <div class="page-body feed">
      <div class="screen-head">
        <h1>Feed</h1>
        <span class="quiet" role="status">
          {state}
        </span>
        <FeedFilters isLive={isLive} />
      </div>
      {waiting > 0 && isPaused && (
        <button
          type="button"
          class="news in-feed"
          onClick={() => {
            list.showWaiting();
            document.getElementById("main")?.scrollTo({ top: 0 });
          }}
        >
          {list.hasMoreWaiting ? `more than ${waiting}` : waiting} new
        </button>
      )}
      {failure !== undefined && <Failure error={failure} retry={() => void list.load()} />}
      {rows === undefined && failure === undefined && <Loading rows={8} />}
      {rows?.length === 0 && <p class="empty">{nothingIn(query)}</p>}
      <ol class="changes" aria-live="off">
        {rows?.map((row) => (
          <ChangeRow key={row.id} change={row} isOpen={false} />
        ))}
      </ol>
      {list.next.value !== null && (
        <Link
          class="button older"
          to={router.href({ screen: "feed", query: { ...query, before: list.next.value } })}
        >
          Older
        </Link>
      )}
    </div>
  );
}

function usePausedByScrolling(): boolean {
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    const main = document.getElementById("main");
    const look = () => setPaused((main?.scrollTop ?? 0) > 60);
    main?.addEventListener("scroll", look, { passive: true });
    return () => main?.removeEventListener("scroll", look);
  }, []);
  return isPaused;
}

function nothingIn({ day, ...others }: Readonly<Record<string, string>>): string {
  if (Object.keys(getFilter(others)).length > 0) return "No changes match these filters.";
  return `No changes ${day || "yet"}.`;
}

function getFilter(query: Readonly<Record<string, string>>): InputOf<"changes"> {
  const { kind, author, before, day, as_of: asOf } = query;
  return {
    ...filtersIn(FEED_FILTERS, query),
    ...(kind && { kind: kind as EventKind }),
    ...(author && { author }),
    ...(before && { before }),
    ...(asOf && { end_date: asOf }),
    ...(day && { start_date: day, end_date: day }),
  };
}

/** Shows one change in full, or an error if its id does not exist. */
function OneChange({ id }: { readonly id: string }) {
  const { router } = usePage();
  const number = Number(/^change:(\d+)$/.exec(id)?.[1] ?? Number.NaN);
  const isId = Number.isSafeInteger(number);
  const input = { before: `change:${number + 1}`, limit: 1, diff: true, texts: true };
  const { output, failure, retry } = useQuery("changes", input, { when: isId });
  const found = output?.changes.find((change) => change.id === id);
  const isMissing = !isId || (output !== undefined && found === undefined);
  return (
    <div class="page-body feed">
      <div class="screen-head">
        <h1>{isMissing ? "Change not found" : id}</h1>
        <Link class="button" to={router.href({ screen: "feed" })}>
          Newest
        </Link>
      </div>
      {failure !== undefined && <Failure error={failure} retry={retry} />}
      {isMissing && (
        <p class="empty" role="status">
          No change {id} in this database. Check the selected database.
        </p>
      )}
      {!isMissing && output === undefined && failure === undefined && <Loading rows={4} />}
      {found !== undefined && (
        <ol class="changes">
          <ChangeRow change={found} isOpen />
        </ol>
      )}
    </div>
  );
}
