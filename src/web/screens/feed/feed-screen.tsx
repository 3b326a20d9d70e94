import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { EventKind, InputOf } from "../../../memory/index.ts";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { usePage } from "../../page.ts";
import { ChangeList } from "./change-list.ts";
import { ChangeRow } from "./change-row.tsx";

/** Each kind of event as people read it. */
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
};

/** Who writes what, as it is written. Scrolling down pauses it. */
export function FeedScreen() {
  const { router, client, live, session } = usePage();
  const { db, query } = router.place.value;
  const { kind = "", author = "", session: of = "", before = "", change = "" } = query;
  const list = useMemo(
    () =>
      new ChangeList(client, {
        db,
        filter: filterOf({ kind, author, session: of, before, change }),
      }),
    [client, db, kind, author, of, before, change],
  );
  const [isPaused, setPaused] = useState(false);
  const isLive = before === "" && change === "";
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
  useEffect(() => {
    const main = document.getElementById("main");
    const look = () => setPaused((main?.scrollTop ?? 0) > 60);
    main?.addEventListener("scroll", look, { passive: true });
    return () => main?.removeEventListener("scroll", look);
  }, []);
  const rows = list.rows.value;
  const waiting = list.waiting.value.length;
  const failure = list.failure.value;
  return (
    <div class="page-body feed">
      <div class="screen-head">
        <h1>{change === "" ? "Feed" : change}</h1>
        <span class="quiet" role="status">
          {!isLive
            ? ""
            : isPaused
              ? "Paused while you read"
              : session.connection.value === "live"
                ? "Live"
                : ""}
        </span>
        {isLive ? (
          <>
            <label>
              <span class="unseen">What happened</span>
              <select
                class="plain"
                value={kind}
                onChange={({ currentTarget }) =>
                  router.setQuery({ kind: currentTarget.value }, "push")
                }
              >
                <option value="">everything</option>
                {Object.entries(KINDS).map(([name, words]) => (
                  <option key={name} value={name}>
                    {words}
                  </option>
                ))}
              </select>
            </label>
            <label class="by">
              <span class="unseen">By whom</span>
              <input
                placeholder="by anybody"
                value={author}
                onChange={({ currentTarget }) =>
                  router.setQuery({ author: currentTarget.value.trim() }, "push")
                }
              />
            </label>
          </>
        ) : (
          <Link class="button" to={router.href({ screen: "feed" })}>
            Newest
          </Link>
        )}
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
          {waiting} new
        </button>
      )}
      {failure !== undefined && <Failure of={failure} again={() => void list.load()} />}
      {rows === undefined && failure === undefined && <Waiting rows={8} />}
      {rows?.length === 0 && <p class="empty">Nothing was written here yet.</p>}
      <ol class="changes" aria-live="off">
        {rows?.map((row) => (
          <ChangeRow key={row.id} change={row} isOpen={change !== ""} />
        ))}
      </ol>
      {list.next.value !== null && change === "" && (
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

interface FeedQuery {
  readonly kind: string;
  readonly author: string;
  readonly session: string;
  readonly before: string;
  readonly change: string;
}

function filterOf({ kind, author, session, before, change }: FeedQuery): InputOf<"changes"> {
  const number = Number(change.replace("change:", ""));
  if (change !== "" && Number.isInteger(number)) {
    return { before: `change:${number + 1}`, limit: 1, diff: true };
  }
  return {
    ...(kind !== "" && { kind: kind as EventKind }),
    ...(author !== "" && { author }),
    ...(session !== "" && { session }),
    ...(before !== "" && { before }),
  };
}
