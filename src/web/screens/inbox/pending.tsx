import { ActionButton } from "../../components/action-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Stored } from "../../components/stored.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { usePage } from "../../page.ts";
import { BatchEpisodes } from "./batch-episodes.tsx";
import { ConceptFields } from "./concept-fields.tsx";
import { Progress } from "./progress.tsx";
import { useBatchActions } from "./use-batch-actions.ts";
import { usePendingBatch } from "./use-pending-batch.ts";

const REASONS = { session: "One session", entity: "About", time: "One day" } as const;

/** Episodes that belong together become one concept: the changeset is shown before it is written. */
export function Pending() {
  const { session } = usePage();
  const pending = usePendingBatch();
  const done = useBatchActions(pending);
  const { failure, again, batch, draft, changeset, change, total } = pending;
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (total === undefined) return <Waiting rows={6} />;
  if (batch === undefined) {
    return (
      <div class="empty">
        <p>{pending.hasPassed ? "The others were skipped." : "Everything was reviewed."}</p>
      </div>
    );
  }
  return (
    <section class="decision" aria-label="A batch of episodes">
      <h2>
        {REASONS[batch.reason]}: <Stored text={batch.name} />
      </h2>
      <div class="batch">
        <BatchEpisodes
          episodes={batch.episodes}
          evidence={draft.evidence}
          onChange={(evidence) => change({ evidence })}
        />
        {session.canWrite && <ConceptFields draft={draft} changeset={changeset} change={change} />}
      </div>
      <div class="item-actions">
        <ActionButton id="write-concept" class="button primary" />
        <ActionButton id="batch-reviewed" />
        <ActionButton id="skip" />
        <ActionButton id="undo" class="button quiet" />
      </div>
      <Progress done={done} left={total} />
    </section>
  );
}
