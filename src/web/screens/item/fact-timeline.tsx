import { shorten } from "../../../kernel/shorten.ts";
import type { OutputOf } from "../../../memory/index.ts";
import { Age } from "../../components/age.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";

type Fact = OutputOf<"get_fact">["timeline"][number];
type Conflict = OutputOf<"get_fact">["conflicts"][number];

interface FactTimelineProps {
  readonly facts: readonly Fact[];
  readonly conflicts: readonly Conflict[];
}

/** A bar for each fact from when it began to hold until it no longer did. */
export function FactTimeline({ facts, conflicts }: FactTimelineProps) {
  const now = Date.now();
  const starts = facts.map(({ valid_from: from }) => Date.parse(from));
  const begin = Math.min(...starts, now);
  const span = Math.max(1, now - begin) * 1.02;
  const share = (time: number) => `${Math.round((1000 * (time - begin)) / span) / 10}%`;
  const disputed = new Set(
    conflicts.flatMap(({ status, fact_a: a, fact_b: b }) =>
      status === "open" ? [a.id, b.id] : [],
    ),
  );
  return (
    <ol class="fact-timeline">
      {facts.map((fact) => {
        const from = Date.parse(fact.valid_from);
        const to = fact.valid_to === null ? now : Date.parse(fact.valid_to);
        return (
          <li key={fact.id}>
            <p>
              <ItemLink id={fact.episode_id}>
                <Stored text={shorten(fact.statement, 300)} />
              </ItemLink>
            </p>
            <div class="fact-track" aria-hidden="true">
              <span
                class="fact-bar"
                data-status={disputed.has(fact.id) ? "disputed" : fact.status}
                style={{
                  marginInlineStart: share(from),
                  width: `max(6px, ${share(begin + to - from)})`,
                }}
              />
            </div>
            <p class="quiet">
              <ItemLink id={fact.id} /> {fact.status === "active" ? "holds" : "held"} from{" "}
              {fact.valid_from.slice(0, 10)}
              {fact.valid_to !== null && ` to ${fact.valid_to.slice(0, 10)}`}
              {fact.asserted_by !== null && (
                <>
                  , by <Stored text={fact.asserted_by} />
                </>
              )}
              {fact.superseded_by !== null && (
                <>
                  , superseded by <ItemLink id={fact.superseded_by} />
                </>
              )}
              {disputed.has(fact.id) && (
                <>
                  {" "}
                  <span class="mark warn">disputed</span>
                </>
              )}
            </p>
          </li>
        );
      })}
      {conflicts.map((conflict) => (
        <li key={conflict.id}>
          <p class="quiet">
            <ItemLink id={conflict.id} />, {conflict.status}, <Age at={conflict.created_at} />:{" "}
            <Stored text={conflict.description ?? ""} />
          </p>
        </li>
      ))}
    </ol>
  );
}
