import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { EventKind, InputOf } from "../../../memory/index.ts";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { narrowingIn } from "../../data/narrowing.ts";
import { usePage } from "../../page.ts";
import { ChangeList } from "./change-list.ts";
import { ChangeRow } from "./change-row.tsx";
import { FeedFilters, NARROWING } from "./feed-filters.tsx";
import { OneChange } from "./one-change.tsx";
import { SaveChanges } from "./save-changes.tsx";

export function FeedScreen() {
  const { router } = usePage();
  const { change = "" } = router.place.value.query;
  return change === "" ? <Changes /> : <OneChange key={change} id={change} />;
}

/** Scrolling down pauses it. */
function Changes() {
  const { router, client, live, session } = usePage();
  const { db, query } = router.place.value;
  const key = JSON.stringify([db, query]);
  const filter = useMemo(() => filterOf(query), [key]);
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
  const state = !isLive ? "" : isPaused ? "Paused while you read" : isConnected ? "Live" : "";
  return (
    <div class="page-body feed">
      <div class="screen-head">
        <h1>Feed</h1>
        <span class="quiet" role="status">
          {state}
        </span>
        <FeedFilters isLive={isLive} />
        <SaveChanges filter={filter} />
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
      {failure !== undefined && <Failure of={failure} again={() => void list.load()} />}
      {rows === undefined && failure === undefined && <Waiting rows={8} />}
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
  if (Object.keys(filterOf(others)).length > 0) return "No change passes these filters.";
  return `Nothing was written ${day || "here yet"}.`;
}

function filterOf(query: Readonly<Record<string, string>>): InputOf<"changes"> {
  const { kind, author, before, day, as_of: then } = query;
  return {
    ...narrowingIn(NARROWING, query),
    ...(kind && { kind: kind as EventKind }),
    ...(author && { author }),
    ...(before && { before }),
    ...(then && { end_date: then }),
    ...(day && { start_date: day, end_date: day }),
  };
}
