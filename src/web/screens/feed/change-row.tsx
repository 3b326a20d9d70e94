import { Age } from "../../components/age.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";
import type { Change } from "./change-list.ts";
import { MoreEvents } from "./more-events.tsx";
import { Said } from "./said.tsx";
import { UndoChange } from "./undo-change.tsx";

/** Events of a change that are listed before one asks for all. */
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
            <Said
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
      <span>{sentenceOf(change)}</span>
      {undoneBy !== null && <span class="mark">undone by {undoneBy}</span>}
      {undoOf.length > 0 && <span class="mark">undo of {undoOf.slice(0, 3).join(", ")}</span>}
      <span class="change-end">
        <UndoChange of={change} />
        <Link class="id" to={router.href({ screen: "feed", query: { change: id } })}>
          {id}
        </Link>
        <Age at={ts} />
      </span>
    </p>
  );
}

function sentenceOf({ events, event_count: count, operation }: Change): string {
  if (count === 1) return (events[0]?.kind ?? operation).replaceAll("_", " ");
  const kinds = new Map<string, number>();
  for (const { kind } of events) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const parts = Array.from(kinds, ([kind, number]) => `${number} ${kind.replaceAll("_", " ")}`);
  const rest =
    count > events.length ? [`${(count - events.length).toLocaleString("en")} more`] : [];
  return [...parts, ...rest].join(", ");
}
