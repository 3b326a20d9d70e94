import type { OutputOf } from "../../../memory/index.ts";
import { shorten } from "../../../shared/text.ts";
import { Age } from "../../components/age.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";

type Fact = OutputOf<"get_fact">["timeline"][number];
type Conflict = OutputOf<"get_fact">["conflicts"][number];

interface FactTimelineProps {
  readonly facts: readonly Fact[];
  readonly conflicts: readonly Conflict[];
}

export function FactTimeline({ facts, conflicts }: FactTimelineProps) {
  const { as_of: asOf } = usePage().router.location.value.query;
  const now = asOf ? Date.parse(`${asOf.slice(0, 10)}T23:59:59.999Z`) : Date.now();
  const known = facts.filter(({ valid_from: from }) => Date.parse(from) <= now);
  const starts = known.map(({ valid_from: from }) => Date.parse(from));
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
      {known.map((fact) => {
        const from = Date.parse(fact.valid_from);
        const to = Math.min(now, fact.valid_to === null ? now : Date.parse(fact.valid_to));
        const holds = fact.valid_to === null || Date.parse(fact.valid_to) > now;
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
                data-status={disputed.has(fact.id) ? "disputed" : holds ? "active" : "superseded"}
                style={{
                  marginInlineStart: share(from),
                  width: `max(6px, ${share(begin + to - from)})`,
                }}
              />
            </div>
            <p class="quiet">
              <ItemLink id={fact.id} /> {holds ? "holds" : "held"} from{" "}
              {fact.valid_from.slice(0, 10)}
              {!holds && fact.valid_to !== null && ` to ${fact.valid_to.slice(0, 10)}`}
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
