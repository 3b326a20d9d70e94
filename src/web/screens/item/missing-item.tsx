import { Age } from "../../components/age.tsx";
import { Button } from "../../components/controls.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Difference } from "../../components/difference.tsx";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Stored } from "../../components/stored.tsx";
import type { RequestFailed } from "../../data/request-failed.ts";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";

interface MissingItemProps {
  readonly id: string;
  readonly failure: RequestFailed | undefined;
  retry(): void;
}

/** Placeholder for an item that is loading, deleted or nonexistent. */
export function MissingItem({ id, failure, retry }: MissingItemProps) {
  const { writer, router, session } = usePage();
  if (failure === undefined) return <Loading rows={4} />;
  const isDeleted = failure.message.includes("is deleted");
  if (!isDeleted) return <Failure error={failure} retry={retry} />;
  return (
    <article class="item">
      <p class="item-line">
        <code class="id">{id}</code>
        <span class="mark danger">deleted</span>
      </p>
      <h1>{id} is in the trash</h1>
      <UnsavedDraft id={id} />
      {session.canWrite && (
        <div class="item-actions">
          <Button
            kind="primary"
            onClick={() =>
              writer
                .write(
                  "restore",
                  { id },
                  { db: router.location.peek().db, done: `Restored ${id}.` },
                )
                .then(retry)
            }
          >
            Restore
          </Button>
        </div>
      )}
      <HistoryTab id={id} />
    </article>
  );
}

function UnsavedDraft({ id }: { readonly id: string }) {
  const { drafts, router } = usePage();
  const location = { db: router.location.value.db, id };
  const draft = drafts.has(location) ? drafts.find(location) : undefined;
  if (draft === undefined) return null;
  const changed = Object.entries(draft.texts).filter(
    ([name, text]) => text !== draft.initial[name],
  );
  return (
    <section class="notice warn" role="alert">
      <p>This item was deleted while you were editing. Restore it to save your draft.</p>
      {changed.map(([name, text]) => (
        <Stored key={name} as="pre" class="json" text={text} />
      ))}
      <div class="item-actions">
        <CopyButton label="Copy draft" text={changed.map(([, text]) => text).join("\n\n")} />
        <Button onClick={() => drafts.drop(location)}>Discard</Button>
      </div>
    </section>
  );
}

export function HistoryTab({ id }: { readonly id: string }) {
  const { writer, router, session } = usePage();
  const { output, failure, retry } = useQuery("history", { id, limit: 50 });
  if (failure !== undefined) return <Failure error={failure} retry={retry} />;
  return (
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
              <Button
                kind="quiet"
                onClick={() => void writer.undo(router.location.peek().db, [change])}
              >
                Undo
              </Button>
            )}
          </p>
          {typeof payload?.note === "string" && <Stored as="p" class="quiet" text={payload.note} />}
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
  );
}
