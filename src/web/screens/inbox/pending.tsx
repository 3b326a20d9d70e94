import { useMemo, useState } from "preact/hooks";
import { Failure } from "../../components/failure.tsx";
import { Stored } from "../../components/stored.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { batchChoices } from "./batch-choices.ts";
import { BatchEpisodes } from "./batch-episodes.tsx";
import { ConceptFields } from "./concept-fields.tsx";
import { Decisions } from "./decisions.tsx";
import { type Draft, draftChangeset, EMPTY_DRAFT } from "./draft-changeset.ts";
import { keyOfBatch, type PendingBatch } from "./pending-batch.ts";

const REASONS = { session: "One session", entity: "About", time: "One day" } as const;

/** Episodes that belong together become one concept: the changeset is shown before it is written. */
export function Pending() {
  const { writer } = usePage();
  const { output, failure, again } = useQuestion("pending_batches", { limit: 10 });
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const choices = useMemo(() => batchChoices(writer, drafts), [writer, drafts]);
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (output === undefined) return <Waiting rows={6} />;
  return (
    <Decisions
      items={output.batches}
      total={output.total}
      amountOf={({ episodes }) => episodes.length}
      keyOf={keyOfBatch}
      choices={choices}
      label={() => "A batch of episodes"}
      nothing="Everything was reviewed."
    >
      {(batch) => {
        const key = keyOfBatch(batch);
        const draft = drafts[key] ?? EMPTY_DRAFT;
        const change = (part: Partial<Draft>) =>
          setDrafts((former) => ({ ...former, [key]: { ...draft, ...part } }));
        return <Batch of={batch} draft={draft} change={change} />;
      }}
    </Decisions>
  );
}

interface BatchProps {
  readonly of: PendingBatch;
  readonly draft: Draft;
  change(part: Partial<Draft>): void;
}

function Batch({ of: { reason, name, episodes }, draft, change }: BatchProps) {
  const { session } = usePage();
  const changeset = draftChangeset(episodes, draft);
  return (
    <>
      <h2>
        {REASONS[reason]}: <Stored text={name} />
      </h2>
      <div class="batch">
        <BatchEpisodes
          episodes={episodes}
          evidence={draft.evidence}
          onChange={(evidence) => change({ evidence })}
        />
        {session.canWrite && <ConceptFields draft={draft} changeset={changeset} change={change} />}
      </div>
    </>
  );
}
