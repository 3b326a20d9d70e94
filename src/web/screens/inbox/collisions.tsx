import { Fragment } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { choicesFor } from "./collision-choices.ts";
import { Decisions } from "./decisions.tsx";
import { ageLabels, FactCard } from "./fact-card.tsx";
import { type FactPair, pairOf } from "./pair-of-facts.ts";

type Item = OutputOf<"items">["items"][number];

/** So many are held ready, so that the next one is there at once. */
const READY = 100;

export function Collisions() {
  const { writer, router } = usePage();
  const { as_of: then } = router.place.value.query;
  const { output, failure, again } = useQuestion("items", {
    kinds: ["fact"],
    has: ["collision"],
    sort: "oldest",
    limit: READY,
    ...(then && { as_of: then }),
  });
  const [pair, setPair] = useState<FactPair>();
  const choices = useMemo(() => choicesFor(writer, pair), [writer, pair]);
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (output === undefined) return <Waiting rows={4} />;
  return (
    <Decisions<Item>
      items={output.items}
      total={undefined}
      keyOf={({ id }) => `collision of ${id}`}
      choices={choices}
      label={() => "Two facts about the same"}
      nothing="Nobody said two things about the same that were not settled."
    >
      {(fact) => <Collision key={fact.id} of={fact} onPair={setPair} />}
    </Decisions>
  );
}

interface CollisionProps {
  readonly of: Item;
  /** The two that are shown now, which is what a decision is about. */
  onPair(pair: FactPair | undefined): void;
}

function Collision({ of: { id, cluster_id: cluster }, onPair }: CollisionProps) {
  const { output } = useQuestion(
    "cluster_timeline",
    { cluster_id: cluster ?? "" },
    { when: cluster !== null },
  );
  const pair = useMemo(() => pairOf(id, output), [id, output]);
  useEffect(() => onPair(pair), [pair]);
  return pair === undefined ? <Waiting rows={4} /> : <PairOfFacts pair={pair} />;
}

function PairOfFacts({ pair: [a, b] }: { readonly pair: FactPair }) {
  const [ageA, ageB] = ageLabels(a, b);
  return (
    <>
      <h2>Do both of these hold?</h2>
      <p class="quiet">
        Both are about{" "}
        {a.entities.slice(0, 3).map((entity) => (
          <Fragment key={entity}>
            <ItemLink id={entity} />{" "}
          </Fragment>
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
    </>
  );
}
