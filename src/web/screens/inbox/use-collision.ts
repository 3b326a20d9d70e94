import { useMemo, useState } from "preact/hooks";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { type FactPair, pairOf } from "./pair-of-facts.ts";

/** The two facts that are next, and how they are settled or passed. */
export function useCollision() {
  const { router, writer } = usePage();
  const { db } = router.place.value;
  const found = useQuestion("items", {
    kinds: ["fact"],
    has: ["collision"],
    sort: "oldest",
    limit: 100,
  });
  const [passed, setPassed] = useState<readonly string[]>([]);
  const first = found.output?.items.find(({ id }) => !passed.includes(id));
  const cluster = useQuestion(
    "cluster_timeline",
    { cluster_id: first?.cluster_id ?? "" },
    { when: first !== undefined },
  );
  const acts = useMemo(() => {
    const pass = ([{ id }]: FactPair) => setPassed((former) => [...former, id]);
    const settle = (pair: FactPair, ops: readonly object[], done: string) => {
      pass(pair);
      void writer.write("apply", { changeset: JSON.stringify(ops) }, { db, done }).then(() => {
        // Once the server has answered, its list says what is still to be decided.
        setPassed((former) => former.filter((id) => id !== pair[0].id));
      });
    };
    return { pass, settle };
  }, [db, writer]);
  const pair = first === undefined ? undefined : pairOf(first.id, cluster.output);
  return { found, isNothingLeft: first === undefined, pair, ...acts };
}
