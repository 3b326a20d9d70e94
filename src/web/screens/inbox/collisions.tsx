import { useMemo, useRef, useState } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { ItemLink } from "../../components/link.tsx";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { ageLabels, type Fact, FactCard } from "./fact-card.tsx";

/** Facts about the same of which nobody has said whether both hold. */
export function Collisions() {
  const page = usePage();
  const { router, writer } = page;
  const { db } = router.place.value;
  const found = useQuestion("items", {
    kinds: ["fact"],
    has: ["collision"],
    sort: "oldest",
    limit: 100,
  });
  const [passed, setPassed] = useState<readonly string[]>([]);
  const facts = (found.output?.items ?? []).filter(({ id }) => !passed.includes(id));
  const first = facts[0];
  const cluster = useQuestion(
    "cluster_timeline",
    { cluster_id: first?.cluster_id ?? "" },
    { when: first !== undefined },
  );
  const pair = first === undefined ? undefined : pairOf(first.id, cluster.output);
  const state = useRef({ pair });
  state.current = { pair };
  const actions = useMemo((): readonly Action[] => {
    const settle = (changeset: (a: Fact, b: Fact) => object[], done: string) => {
      const { pair: present } = state.current;
      if (present === undefined) return;
      const [a, b] = present;
      setPassed((former) => [...former, a.id]);
      void writer
        .write("apply", { changeset: JSON.stringify(changeset(a, b)) }, { db, done })
        .then((answer) => {
          // The server refused: it is to be decided still.
          setPassed((former) => former.filter((id) => id !== a.id || answer === undefined));
        });
    };
    const supersede = (old: Fact, fresh: Fact) => [{ op: "supersede", old: old.id, new: fresh.id }];
    const shared = { group: "This screen", isWrite: true } as const;
    const applies = () => state.current.pair !== undefined;
    const disputed = (a: Fact, b: Fact) => ({
      op: "conflict",
      fact_a: a.id,
      fact_b: b.id,
      as: "it",
    });
    return [
      {
        ...shared,
        id: "keep-1",
        title: "Only 1 holds",
        keys: ["1"],
        applies,
        run: () => settle((a, b) => supersede(b, a), "The second fact is history."),
      },
      {
        ...shared,
        id: "keep-2",
        title: "Only 2 holds",
        keys: ["2"],
        applies,
        run: () => settle((a, b) => supersede(a, b), "The first fact is history."),
      },
      {
        ...shared,
        id: "both",
        title: "Both hold",
        keys: ["b"],
        applies,
        run: () =>
          settle(
            (a, b) => [disputed(a, b), { op: "dismiss", id: "$it", note: "Both hold." }],
            "Both hold.",
          ),
      },
      {
        ...shared,
        id: "contradiction",
        title: "They contradict each other",
        keys: ["c"],
        applies,
        run: () => settle((a, b) => [disputed(a, b)], "Opened a conflict."),
      },
      {
        id: "skip",
        title: "Skip",
        group: "This screen",
        keys: ["s"],
        applies,
        run: () => {
          const id = state.current.pair?.[0].id;
          if (id !== undefined) setPassed((former) => [...former, id]);
        },
      },
    ];
  }, [db, writer]);
  useScreenActions(actions);
  if (found.failure !== undefined) return <Failure of={found.failure} again={found.again} />;
  if (found.output === undefined) return <Waiting rows={4} />;
  if (first === undefined) {
    return (
      <div class="empty">
        <p>Nobody said two things about the same that were not settled.</p>
      </div>
    );
  }
  if (pair === undefined) return <Waiting rows={4} />;
  const [a, b] = pair;
  const [ageA, ageB] = ageLabels(a, b);
  return (
    <section class="decision" aria-label="Two facts about the same">
      <h2>Do both of these hold?</h2>
      <p class="quiet">
        Both are about{" "}
        {a.entities.slice(0, 3).map((entity) => (
          <>
            <ItemLink key={entity} id={entity} />{" "}
          </>
        ))}
      </p>
      <div class="sides">
        <div class="side">
          <FactCard fact={a} other={b} label={ageA} title="Fact 1" />
          <ActionButton id="keep-1" />
        </div>
        <div class="side">
          <FactCard fact={b} other={a} label={ageB} title="Fact 2" />
          <ActionButton id="keep-2" />
        </div>
      </div>
      <div class="item-actions">
        <ActionButton id="both" class="button primary" />
        <ActionButton id="contradiction" />
        <ActionButton id="skip" />
        <ActionButton id="undo" class="button quiet" />
      </div>
    </section>
  );
}

interface Cluster {
  readonly facts: readonly Fact[];
  readonly conflicts: readonly { readonly fact_a: Fact; readonly fact_b: Fact }[];
}

/** The fact and the first other one of its cluster that it was never compared with. */
function pairOf(id: string, cluster: Cluster | undefined): [Fact, Fact] | undefined {
  if (cluster === undefined) return undefined;
  const active = cluster.facts.filter(({ status }) => status === "active");
  const fact = active.find((one) => one.id === id);
  if (fact === undefined) return undefined;
  const isCompared = (other: Fact) =>
    cluster.conflicts.some(
      ({ fact_a: a, fact_b: b }) =>
        (a.id === id && b.id === other.id) || (b.id === id && a.id === other.id),
    );
  const other = active.find(
    (one) =>
      one.id !== id &&
      !isCompared(one) &&
      (one.statement === fact.statement ||
        one.entities.some((entity) => fact.entities.includes(entity))),
  );
  return other === undefined ? undefined : [fact, other];
}
