import { useMemo, useRef, useState } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { usePage } from "../../page.ts";
import type { Draft } from "./draft-changeset.ts";
import { keyOfBatch, type PendingBatch } from "./pending-batch.ts";

interface BatchInHand {
  readonly batch: PendingBatch | undefined;
  readonly draft: Draft;
  readonly changeset: string;
  pass(key: string): void;
}

/** What can be done with the batch in hand. The answer is how many episodes were dealt with. */
export function useBatchActions(inHand: BatchInHand): number {
  const [done, write] = useBatchWrites();
  const state = useRef(inHand);
  state.current = inHand;
  // Buttons look at their action again only when the actions are others.
  const isTitled = inHand.draft.title.trim() !== "";
  const actions = useMemo((): readonly Action[] => {
    const applies = () => state.current.batch !== undefined;
    const shared = { group: "This screen", applies } as const;
    const withBatch = (act: (batch: PendingBatch) => void) => () => {
      if (state.current.batch !== undefined) act(state.current.batch);
    };
    return [
      {
        ...shared,
        id: "write-concept",
        title: "Write the concept",
        keys: ["Mod+Enter"],
        isWrite: true,
        applies: () => applies() && isTitled,
        run: withBatch((batch) => {
          const { changeset, draft } = state.current;
          write(batch, changeset, `Wrote “${draft.title}”.`);
        }),
      },
      {
        ...shared,
        id: "batch-reviewed",
        title: "Only mark as reviewed",
        keys: ["r"],
        isWrite: true,
        run: withBatch((batch) => {
          const ids = batch.episodes.map(({ id }) => id);
          const changeset = JSON.stringify([{ op: "processed", ids }]);
          write(batch, changeset, `Marked ${ids.length} episodes as reviewed.`);
        }),
      },
      {
        ...shared,
        id: "skip",
        title: "Skip",
        keys: ["s"],
        run: withBatch((batch) => state.current.pass(keyOfBatch(batch))),
      },
    ];
  }, [write, isTitled]);
  useScreenActions(actions);
  return done;
}

type WriteBatch = (batch: PendingBatch, changeset: string, told: string) => void;

/** Writes are counted at once, and no longer when the server refuses. */
function useBatchWrites(): [number, WriteBatch] {
  const { router, writer } = usePage();
  const { db } = router.place.value;
  const [done, setDone] = useState(0);
  const write = useMemo(
    (): WriteBatch =>
      ({ episodes }, changeset, told) => {
        setDone((count) => count + episodes.length);
        const foreseen = new Map(episodes.map(({ id }) => [id, { processed: true }]));
        void writer.write("apply", { changeset }, { db, done: told, foreseen }).then((answer) => {
          if (answer === undefined) setDone((count) => count - episodes.length);
        });
      },
    [db, writer],
  );
  return [done, write];
}
