import { useState } from "preact/hooks";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { ItemLines } from "../item/item-lines.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Days } from "./heat-map.tsx";
import { ImportFile } from "./import-file.tsx";

/** Counts of a large memory are dear: they need not be of this second. Milliseconds. */
const COUNT_PAUSE = 10_000;

/** What is here, what is new, and what waits. */
export function HomeScreen() {
  const { router, session } = usePage();
  const { db } = router.place.value;
  const [isImporting, setImporting] = useState(false);
  const stats = useQuestion("stats", {}, { pause: COUNT_PAUSE });
  const days = useQuestion(
    "timeline",
    { kinds: ["episode"], since: "90d" },
    { pause: COUNT_PAUSE },
  );
  const newest = useQuestion("items", { kinds: ["episode"], limit: 8 }, { pause: 1_000 });
  const strongest = useQuestion("snapshot", { scopes: ["bootstrap:8"] }, { pause: COUNT_PAUSE });
  const { output, failure, again } = stats;
  // The first write makes it.
  const isMissing = failure?.code === "not_found";
  if (failure !== undefined && !isMissing) return <Failure of={failure} again={again} />;
  const isEmpty = isMissing || (output?.episodes.total === 0 && output.concepts.total === 0);
  const { open = 0 } = output?.conflicts ?? {};
  const pending = output?.consolidation.pending ?? 0;
  const conceptsOf = (section: unknown): Strong[] =>
    ((section as { concepts?: Strong[] } | undefined)?.concepts ?? []).slice(0, 8);
  const strong = conceptsOf(strongest.output?.["bootstrap:8"]);
  return (
    <div class="page-body home">
      <h1>{db}</h1>
      {isEmpty ? (
        <FirstSteps />
      ) : output === undefined ? (
        <Waiting rows={3} />
      ) : (
        <>
          <ul class="numbers">
            <Amount
              to={router.href({ screen: "find", query: { kinds: "episode" } })}
              count={output.episodes.total}
              title="episodes"
            />
            <Amount
              to={router.href({ screen: "find", query: { kinds: "fact" } })}
              count={output.facts.active}
              title="facts that hold"
            />
            <Amount
              to={router.href({ screen: "find", query: { kinds: "concept" } })}
              count={output.concepts.total}
              title="concepts"
            />
            <Amount
              to={router.href({ screen: "find", query: { kinds: "entity" } })}
              count={output.entities}
              title="entities"
            />
          </ul>
          {(open > 0 || pending > 0) && (
            <p class="waiting-work">
              {open > 0 && (
                <Link class="button primary" to={router.href({ screen: "inbox" })}>
                  Settle {open.toLocaleString("en")} {open === 1 ? "conflict" : "conflicts"}
                </Link>
              )}
              {pending > 0 && (
                <Link
                  class="button"
                  to={router.href({ screen: "inbox", query: { part: "pending" } })}
                >
                  {pending.toLocaleString("en")} not reviewed
                </Link>
              )}
            </p>
          )}
          <Days of={days.output?.buckets ?? []} />
          <div class="columns">
            <section>
              <h2>Newest</h2>
              <ItemLines of={newest.output?.items ?? []} />
            </section>
            {strong.length > 0 && (
              <section>
                <h2>Strongest concepts</h2>
                <ItemLines
                  of={strong.map(({ id, title, summary, type }) => ({
                    id,
                    type,
                    title,
                    text: summary,
                  }))}
                />
              </section>
            )}
          </div>
          {session.canWrite && (
            <details
              open={isImporting}
              onToggle={({ currentTarget }) => setImporting(currentTarget.open)}
            >
              <summary>Bring in what another tool remembers</summary>
              {isImporting && <ImportFile />}
            </details>
          )}
        </>
      )}
    </div>
  );
}

interface Strong {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly type: string;
}

interface AmountProps {
  readonly to: string;
  readonly count: number;
  readonly title: string;
}

function Amount({ to, count, title }: AmountProps) {
  return (
    <li>
      <Link to={to}>
        <strong>{count.toLocaleString("en")}</strong> {title}
      </Link>
    </li>
  );
}
