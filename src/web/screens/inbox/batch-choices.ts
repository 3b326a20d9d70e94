import type { Writer } from "../../data/writer.ts";
import type { Choice, DecisionOptions } from "./decisions.tsx";
import { type Draft, draftChangeset, EMPTY_DRAFT } from "./draft-changeset.ts";
import { keyOfBatch, type PendingBatch } from "./pending-batch.ts";

export function batchChoices(
  writer: Writer,
  drafts: Readonly<Record<string, Draft>>,
): readonly Choice<PendingBatch>[] {
  const draftOf = (batch: PendingBatch) => drafts[keyOfBatch(batch)] ?? EMPTY_DRAFT;
  const apply = (
    { episodes }: PendingBatch,
    changeset: string,
    { foreseen, ...options }: DecisionOptions & { readonly done: string },
  ) => {
    const all = new Map(foreseen);
    for (const { id } of episodes) all.set(id, { processed: true });
    return writer.write("apply", { changeset }, { ...options, foreseen: all });
  };
  return [
    {
      id: "write-concept",
      title: "Write the concept",
      key: "Mod+Enter",
      look: "primary",
      applies: (batch) => draftOf(batch).title.trim() !== "",
      decide(batch, options) {
        const draft = draftOf(batch);
        const changeset = draftChangeset(batch.episodes, draft);
        return apply(batch, changeset, { ...options, done: `Wrote “${draft.title}”.` });
      },
    },
    {
      id: "batch-reviewed",
      title: "Only mark as reviewed",
      key: "r",
      decide(batch, options) {
        const ids = batch.episodes.map(({ id }) => id);
        const changeset = JSON.stringify([{ op: "processed", ids }]);
        const done = `Marked ${ids.length} episodes as reviewed.`;
        return apply(batch, changeset, { ...options, done });
      },
    },
  ];
}
