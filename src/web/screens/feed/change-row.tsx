import { Age } from "../../components/age.tsx";
import { Difference } from "../../components/difference.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";
import type { Change } from "./change-list.ts";

/** Events of a change that are listed before one asks for all. */
const FEW = 4;

/** One write: who, what, and how to take it back. */
export function ChangeRow({
  change,
  isOpen,
}: {
  readonly change: Change;
  readonly isOpen: boolean;
}) {
  const { router, writer, session } = usePage();
  const {
    id,
    ts,
    author,
    surface,
    operation,
    events,
    event_count: count,
    changed = [],
    texts = {},
  } = change;
  const { undone_by: undoneBy, undo_of: undoOf, session: during } = change;
  const shown = isOpen ? events : events.slice(0, FEW);
  return (
    <li class="change-row" data-undone={undoneBy !== null}>
      <p class="change-head">
        <Stored as="b" text={author} />
        {surface !== author && <span class="quiet">over {surface}</span>}
        <span>{sentenceOf(change)}</span>
        {undoneBy !== null && <span class="mark">undone by {undoneBy}</span>}
        {undoOf.length > 0 && <span class="mark">undo of {undoOf.slice(0, 3).join(", ")}</span>}
        <span class="change-end">
          {session.canWrite && undoneBy === null && (
            <button
              type="button"
              class="button quiet"
              aria-label={`Undo ${id}`}
              onClick={() => void writer.undo(router.place.peek().db, id)}
            >
              Undo
            </button>
          )}
          <Link class="id" to={router.href({ screen: "feed", query: { change: id } })}>
            {id}
          </Link>
          <Age at={ts} />
        </span>
      </p>
      <ul>
        {shown.map(({ seq, kind, subject_id: subject, subject_type: type }) => {
          const fields = changed.filter((field) => field.subject_id === subject);
          return (
            <li key={seq} class="change-event">
              <span class="type">{kind.replaceAll("_", " ")}</span>
              {type === "topic" ? <Stored text={subject} /> : <ItemLink id={subject} />}
              <Said text={texts[subject]} fields={fields} />
            </li>
          );
        })}
      </ul>
      {count > shown.length && (
        <Link to={router.href({ screen: "feed", query: { change: id } })}>
          and {(count - shown.length).toLocaleString("en")} more by {operation}
        </Link>
      )}
      {during !== null && isOpen && (
        <p class="quiet">
          Session{" "}
          <Link to={router.href({ screen: "feed", query: { session: during } })}>
            <Stored text={during} />
          </Link>
        </p>
      )}
    </li>
  );
}

interface SaidProps {
  readonly text: string | undefined;
  readonly fields: readonly { field: string; before?: unknown; after?: unknown }[];
}

/** What the item says, and what of it was changed. */
function Said({ text, fields }: SaidProps) {
  return (
    <span class="said">
      {text !== undefined && <Stored as="span" class="line-text" text={text} />}
      {fields.slice(0, 50).map(({ field, before, after }) => (
        <span key={field} class="field-change">
          <span class="quiet">{field}</span> <Difference before={before} after={after} />
        </span>
      ))}
    </span>
  );
}

function sentenceOf({ events, event_count: count, operation }: Change): string {
  if (count === 1) return (events[0]?.kind ?? operation).replaceAll("_", " ");
  const kinds = new Map<string, number>();
  for (const { kind } of events) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const parts = Array.from(kinds, ([kind, number]) => `${number} ${kind.replaceAll("_", " ")}`);
  const rest = count > events.length ? [`${count - events.length} more`] : [];
  return [...parts, ...rest].join(", ");
}
