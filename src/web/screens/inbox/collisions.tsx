import { ActionButton } from "../../components/action-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { ageLabels, FactCard } from "./fact-card.tsx";
import type { FactPair } from "./pair-of-facts.ts";
import { useCollision } from "./use-collision.ts";
import { useCollisionActions } from "./use-collision-actions.ts";

/** Facts about the same of which nobody has said whether both hold. */
export function Collisions() {
  const collision = useCollision();
  useCollisionActions(collision);
  const { found, isNothingLeft, pair } = collision;
  if (found.failure !== undefined) return <Failure of={found.failure} again={found.again} />;
  if (found.output === undefined) return <Waiting rows={4} />;
  if (isNothingLeft) {
    return (
      <div class="empty">
        <p>Nobody said two things about the same that were not settled.</p>
      </div>
    );
  }
  return pair === undefined ? <Waiting rows={4} /> : <PairOfFacts pair={pair} />;
}

function PairOfFacts({ pair: [a, b] }: { readonly pair: FactPair }) {
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
