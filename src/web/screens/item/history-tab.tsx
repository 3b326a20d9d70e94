import type { OutputOf } from "../../../memory/index.ts";
import { Age } from "../../components/age.tsx";
import { Difference } from "../../components/difference.tsx";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { fields, SaveList } from "../../components/save-list.tsx";
import { Stored } from "../../components/stored.tsx";
import { pagesOf } from "../../data/pages-of.ts";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";

type Event = OutputOf<"history">["events"][number];

export function HistoryTab({ id }: { readonly id: string }) {
  const { writer, router, session } = usePage();
  const { output, failure, again } = useQuestion("history", { id, limit: 50 });
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  return (
    <>
      <SaveHistory of={id} />
      <ol class="history">
        {output?.events.map(({ seq, ts, kind, payload, change_id: change, changed = [] }) => (
          <li key={seq}>
            <p>
              <b>{kind.replaceAll("_", " ")}</b> <Age at={ts} />
              {change !== null && (
                <Link class="id" to={router.href({ screen: "feed", query: { change } })}>
                  {change}
                </Link>
              )}
              {change !== null && session.canWrite && (
                <button
                  type="button"
                  class="button quiet"
                  onClick={() => void writer.undo(router.place.peek().db, [change])}
                >
                  Undo
                </button>
              )}
            </p>
            {typeof payload?.note === "string" && (
              <Stored as="p" class="quiet" text={payload.note} />
            )}
            {changed.map(({ field, subject_id: subject, before, after }) => (
              <div key={`${subject} ${field}`} class="change">
                <span class="quiet">
                  {subject === id ? "" : `${subject} `}
                  {field}
                </span>
                <Difference before={before} after={after} />
              </div>
            ))}
          </li>
        ))}
      </ol>
    </>
  );
}

/** To the very beginning. */
function SaveHistory({ of: id }: { readonly of: string }) {
  const { client, router } = usePage();
  return (
    <SaveList<Event>
      name="history"
      columns={{
        ...fields<Event>("seq", "ts", "kind", "change_id"),
        changed: ({ changed = [] }) =>
          changed.map(({ subject_id: subject, field }) => `${subject} ${field}`),
      }}
      pages={() =>
        pagesOf(client, "history", {
          db: router.place.peek().db,
          input: { id },
          read: ({ events }) => events,
          next: ({ next_before_seq: before }) =>
            before === null ? undefined : { before_seq: before },
        })
      }
    />
  );
}
