import { Failure } from "../../components/failure.tsx";
import { Waiting } from "../../components/waiting.tsx";
import type { RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";
import { HistoryTab } from "./history-tab.tsx";
import { UnsavedDraft } from "./unsaved-draft.tsx";

interface MissingItemProps {
  readonly id: string;
  readonly failure: RequestFailed | undefined;
  again(): void;
}

/** An item that is on its way, deleted, or was never there. */
export function MissingItem({ id, failure, again }: MissingItemProps) {
  const { writer, router, session } = usePage();
  if (failure === undefined) return <Waiting rows={4} />;
  const isDeleted = failure.message.includes("is deleted");
  if (!isDeleted) return <Failure of={failure} again={again} />;
  return (
    <article class="item">
      <p class="item-line">
        <code class="id">{id}</code>
        <span class="mark danger">deleted</span>
      </p>
      <h1>{id} is in the bin</h1>
      <UnsavedDraft id={id} />
      {session.canWrite && (
        <div class="item-actions">
          <button
            type="button"
            class="button primary"
            onClick={() =>
              writer
                .write("restore", { id }, { db: router.place.peek().db, done: `Restored ${id}.` })
                .then(again)
            }
          >
            Restore
          </button>
        </div>
      )}
      <HistoryTab id={id} />
    </article>
  );
}
