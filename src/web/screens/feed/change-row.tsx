import { useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { Age } from "../../components/age.tsx";
import { Button } from "../../components/controls.tsx";
import { Difference } from "../../components/difference.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { getFailure } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";
import type { Change } from "./change-list.ts";

const PAGE = 200;

type Event = OutputOf<"events">["events"][number];

interface MoreEventsProps {
  readonly change: string;
  /** Sequence number of the last displayed event. */
  readonly after: number;
  readonly count: number;
}

/** Loads further events of a large change in pages. */
function MoreEvents({ change, after, count }: MoreEventsProps) {
  const { client, router, toasts } = usePage();
  const [events, setEvents] = useState<readonly Event[]>([]);
  const [isBusy, setBusy] = useState(false);
  const left = count - events.length;
  const load = async () => {
    setBusy(true);
    try {
      const { db } = router.location.peek();
      const since = events.at(-1)?.seq ?? after;
      const { output } = await client.call("events", { since_seq: since, limit: PAGE }, { db });
      const found = output.events.filter(({ change_id: of }) => of === change);
      setEvents([...events, ...found]);
    } catch (error) {
      toasts.showError(getFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <ul>
        {events.map(({ seq, kind, subject_id: subject, subject_type: type }) => (
          <li key={seq} class="change-event">
            <span class="type">{kind.replaceAll("_", " ")}</span>
            {type === "topic" ? <Stored text={subject} /> : <ItemLink id={subject} />}
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button disabled={isBusy} onClick={() => void load()}>
          Show {Math.min(PAGE, left).toLocaleString("en")} of {left.toLocaleString("en")} more
        </Button>
      )}
    </>
  );
}

const MANY = 20;

function UndoChange({ change: { id, event_count: count, undone_by: by } }: { change: Change }) {
  const { router, writer, session, actions } = usePage();
  if (!session.canWrite || by !== null) return null;
  const amount = count.toLocaleString("en");
  return (
    <Button
      kind="quiet"
      aria-label={`Undo ${id}`}
      onClick={async () => {
        const isConfirmed =
          count < MANY ||
          (await actions.confirm({
            title: `Undo ${id}?`,
            text: `This reverts all ${amount} steps of the change. You can redo it.`,
            verb: "Undo",
          }));
        if (isConfirmed) void writer.undo(router.location.peek().db, [id]);
      }}
    >
      {count < MANY ? "Undo" : `Undo all ${amount}`}
    </Button>
  );
}

/** Maximum fields listed per item. */
const MAX_FIELDS = 50;

interface SaidProps {
  readonly text: string | undefined;
  readonly fields: readonly { field: string; before?: unknown; after?: unknown }[];
}

function InlineText({ text, fields }: SaidProps) {
  return (
    <span class="said">
      {text !== undefined && <Stored as="span" class="line-text" text={text} />}
      {fields.slice(0, MAX_FIELDS).map(({ field, before, after }) => (
        <span key={field} class="field-change">
          <span class="quiet">{field}</span> <Difference before={before} after={after} />
        </span>
      ))}
    </span>
  );
}

/** Events listed per change until the user expands it. */
const SMALL_COUNT = 4;

export function ChangeRow({
  change,
  isOpen,
}: {
  readonly change: Change;
  readonly isOpen: boolean;
}) {
  const { router } = usePage();
  const { id, operation, events, event_count: count, changed = [], texts = {}, session } = change;
  const shown = isOpen ? events : events.slice(0, SMALL_COUNT);
  return (
    <li class="change-row" data-undone={change.undone_by !== null}>
      <ChangeHead change={change} />
      <ul>
        {shown.map(({ seq, kind, subject_id: subject, subject_type: type }) => (
          <li key={seq} class="change-event">
            <span class="type">{kind.replaceAll("_", " ")}</span>
            {type === "topic" ? <Stored text={subject} /> : <ItemLink id={subject} />}
            <InlineText
              text={texts[subject]}
              fields={changed.filter((field) => field.subject_id === subject)}
            />
          </li>
        ))}
      </ul>
      {!isOpen && count > shown.length && (
        <Link to={router.href({ screen: "feed", query: { change: id } })}>
          and {(count - shown.length).toLocaleString("en")} more by {operation}
        </Link>
      )}
      {isOpen && count > shown.length && (
        <MoreEvents change={id} after={shown.at(-1)?.seq ?? 0} count={count - shown.length} />
      )}
      {session !== null && isOpen && (
        <p class="quiet">
          Session{" "}
          <Link to={router.href({ screen: "feed", query: { session } })}>
            <Stored text={session} />
          </Link>
        </p>
      )}
    </li>
  );
}

function ChangeHead({ change }: { readonly change: Change }) {
  const { router } = usePage();
  const { id, ts, author, surface, undone_by: undoneBy, undo_of: undoOf } = change;
  return (
    <p class="change-head">
      <Stored as="b" text={author} />
      {surface !== author && <span class="quiet">over {surface}</span>}
      <span>{getSentence(change)}</span>
      {undoneBy !== null && <span class="mark">undone by {undoneBy}</span>}
      {undoOf.length > 0 && <span class="mark">undo of {undoOf.slice(0, 3).join(", ")}</span>}
      <span class="change-end">
        <UndoChange change={change} />
        <Link class="id" to={router.href({ screen: "feed", query: { change: id } })}>
          {id}
        </Link>
        <Age at={ts} />
      </span>
    </p>
  );
}

function getSentence({ events, event_count: count, operation }: Change): string {
  if (count === 1) return (events[0]?.kind ?? operation).replaceAll("_", " ");
  const kinds = new Map<string, number>();
  for (const { kind } of events) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const parts = Array.from(kinds, ([kind, number]) => `${number} ${kind.replaceAll("_", " ")}`);
  const rest =
    count > events.length ? [`${(count - events.length).toLocaleString("en")} more`] : [];
  return [...parts, ...rest].join(", ");
}
