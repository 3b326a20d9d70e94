import { useState } from "preact/hooks";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { type Draft, draftChangeset, EMPTY_DRAFT } from "./draft-changeset.ts";
import { keyOfBatch } from "./pending-batch.ts";

/** The batch that is next, with what has been typed about it; each batch keeps its own draft. */
export function usePendingBatch() {
  const { writer } = usePage();
  const { output, failure, again } = useQuestion("pending_batches", { limit: 10 });
  const [passed, setPassed] = useState<readonly string[]>([]);
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const foreseen = writer.foreseen.value;
  const batch = (output?.batches ?? [])
    .map((one) => ({
      ...one,
      episodes: one.episodes.filter(({ id }) => foreseen.get(id)?.processed !== true),
    }))
    .find((one) => one.episodes.length > 0 && !passed.includes(keyOfBatch(one)));
  const key = batch === undefined ? "" : keyOfBatch(batch);
  const draft = drafts[key] ?? EMPTY_DRAFT;
  return {
    failure,
    again,
    batch,
    draft,
    changeset: batch === undefined ? "" : draftChangeset(batch.episodes, draft),
    change: (part: Partial<Draft>) => setDrafts({ ...drafts, [key]: { ...draft, ...part } }),
    pass: (skipped: string) => setPassed((former) => [...former, skipped]),
    hasPassed: passed.length > 0,
    /** Undefined until the server has answered. */
    total: output?.total,
  };
}
