import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ContributionKind, OutputOf } from "../../../memory/index.ts";
import { Age } from "../../components/age.tsx";
import { Button } from "../../components/controls.tsx";
import { Failure } from "../../components/failure.tsx";
import { Marks, TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink, ItemSummary } from "../../components/link.tsx";
import { Loading, useDelayed } from "../../components/loading.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";
import type { RecallInput } from "./recall-query.ts";

type Explanation = NonNullable<Recalled["explain"]>;

/** Score contributions in drawing order; the type requires every kind. */
const DRAWN: Readonly<Record<ContributionKind, true>> = {
  text: true,
  vector: true,
  tokens: true,
  entity: true,
  date: true,
  session: true,
  neighbours: true,
  evidence: true,
  relations: true,
  echo: true,
  standing: true,
  question: true,
  voice: true,
  steps: true,
};
const PARTS = Object.keys(DRAWN) as ContributionKind[];

function ScoreBar({
  explanation,
  most,
}: {
  readonly explanation: Explanation;
  readonly most: number;
}) {
  return (
    <div class="score-bar" aria-hidden="true">
      {PARTS.map((part) => {
        const amount = explanation[part];
        if (!(amount > 0)) return null;
        const width = `${(100 * amount) / Math.max(most, 0.001)}%`;
        return <span key={part} data-part={part} title={`${part} ${amount}`} style={{ width }} />;
      })}
    </div>
  );
}

function Legend({ items }: { readonly items: readonly Recalled[] }) {
  const used = PARTS.filter((part) => items.some(({ explain }) => (explain?.[part] ?? 0) > 0));
  return (
    <ul class="legend" aria-label="Parts of the scores">
      {used.map((part) => (
        <li key={part}>
          <span class="swatch" data-part={part} aria-hidden="true" />
          {part}
        </li>
      ))}
    </ul>
  );
}

type Answer = OutputOf<"recall">;

/** A concept, episode or passage of a result. */
interface Recalled {
  readonly id: string;
  readonly type: string;
  readonly title: string | undefined;
  readonly text: string;
  readonly score: number;
  readonly at: string;
  readonly source: string | undefined;
  readonly openConflicts: readonly string[];
  readonly explain: Answer["episodes"][number]["explain"];
  /** True if the item fits into the model's context. */
  readonly isSent: boolean;
}

/** Merges all results by score, those that the model receives before the truncated ones. */
function mergeResults(all: Answer, input: Answer | undefined): Recalled[] {
  const { concepts: sentConcepts = [], episodes: sentEpisodes = [], passages = [] } = input ?? {};
  const ids = new Set([...sentConcepts, ...sentEpisodes, ...passages].map(({ id }) => id));
  const isIncluded = (id: string) => input === undefined || ids.has(id);
  const disputed = new Map<string, string[]>();
  for (const { id, fact_a: a, fact_b: b } of all.open_conflicts) {
    for (const { episode_id: episode } of [a, b]) {
      disputed.set(episode, [...(disputed.get(episode) ?? []), id]);
    }
  }
  const concepts = all.concepts.map((one) => ({
    id: one.id,
    type: one.type,
    title: one.title,
    text: one.facts?.map(({ statement }) => statement).join(" · ") ?? one.summary,
    score: one.score,
    at: one.created_at,
    source: one.source === "direct" ? undefined : `${one.source} via ${one.via ?? "the graph"}`,
    openConflicts: one.open_conflicts ?? [],
    explain: one.explain,
    isSent: isIncluded(one.id),
  }));
  const episodes = all.episodes.map((one) => ({
    id: one.id,
    type: one.episode_type,
    title: undefined,
    text: one.content,
    score: one.score,
    at: one.occurred_at ?? one.created_at,
    source: undefined,
    openConflicts: disputed.get(one.id) ?? [],
    explain: one.explain,
    isSent: isIncluded(one.id),
  }));
  const messages = (all.passages ?? []).map((one) => ({
    id: one.id,
    type: one.kind,
    title: undefined,
    text: one.text,
    score: one.score,
    at: one.occurred_at,
    source: one.standing === "replaced" ? `${one.by}, superseded` : one.by,
    openConflicts: [],
    explain: undefined,
    isSent: isIncluded(one.id),
  }));
  return [...concepts, ...episodes, ...messages].sort(
    (a, b) => Number(b.isSent) - Number(a.isSent) || b.score - a.score,
  );
}

/** Milliseconds after which text matches are shown instead of the pending full result. */
const LONG = 1_000;
const EARLY_TIMEOUT_MS = 500;
const RETRY_MS = 2_000;

function useEarlyAnswer(input: RecallInput, isWaiting: boolean): OutputOf<"recall"> | undefined {
  const isLong = useDelayed(LONG, isWaiting);
  const early = useQuery(
    "recall",
    { ...input, explain: true, timeout_ms: EARLY_TIMEOUT_MS },
    { when: isLong, isFixed: true },
  );
  const { isLoading, retry } = early;
  useEffect(() => {
    if (!isLong || isLoading) return;
    const timer = setTimeout(retry, RETRY_MS);
    return () => clearTimeout(timer);
  }, [isLong, isLoading]);
  return early.output;
}

/** Reports that more results are loading, and the reason. */
function PartialNotice({ missing }: { readonly missing: number }) {
  return (
    <p class="progress" role="status">
      <progress aria-label="Computing the full result" />
      <span class="quiet">
        Partial result from text and graph.{" "}
        {missing > 0
          ? `${missing.toLocaleString("en")} items are being embedded.`
          : "Computing the full result …"}
      </span>
    </p>
  );
}

/** True if memory has changed since this result. */
function useIsOlder(output: Answer | undefined): boolean {
  const { live } = usePage();
  const received = live.received.value;
  const seen = useRef({ output, received });
  if (seen.current.output !== output) seen.current = { output, received };
  return output !== undefined && seen.current.received !== received;
}

interface RecallAnswerProps {
  readonly input: RecallInput;
  readonly chars: number;
}

export function RecallAnswer({ input, chars }: RecallAnswerProps) {
  const all = useQuery("recall", { ...input, explain: true }, { isFixed: true });
  const isCut = all.output !== undefined && Array.from(all.output.formatted).length > chars;
  const cut = useQuery("recall", { ...input, max_chars: chars }, { isFixed: true, when: isCut });
  const options = isCut ? cut : all;
  const isOlder = useIsOlder(all.output);
  const early = useEarlyAnswer(input, all.output === undefined);
  if (all.failure !== undefined) return <Failure error={all.failure} retry={all.retry} />;
  const shown = all.output ?? early;
  if (shown === undefined) return <Loading rows={5} />;
  const items = mergeResults(shown, options.output);
  const highest = Math.max(...items.map(({ explain }) => explain?.activation ?? 0));
  const understood = shown.explain;
  const text = options.output?.formatted ?? "";
  const firstCut = items.findIndex(({ isSent }) => !isSent);
  return (
    <section class="answer" aria-label="Result">
      <p class="quiet" role="status">
        {understood !== undefined && understood.words.length > 0 && (
          <>words: {understood.words.join(", ")} · </>
        )}
        {understood !== undefined && understood.entities.length > 0 && (
          <>entities: {understood.entities.join(", ")} · </>
        )}
        {understood?.vectors === false
          ? "text and graph only, no vectors"
          : `vectors on, ${understood?.missing_vectors ?? 0} missing`}
        {" · "}
        {Array.from(text).length.toLocaleString("en")} of {chars.toLocaleString("en")} characters
      </p>
      {isOlder && (
        <p class="notice" role="status">
          Memory has changed since this result. <Button onClick={all.retry}>Recall again</Button>
        </p>
      )}
      {all.output === undefined && <PartialNotice missing={understood?.missing_vectors ?? 0} />}
      {all.output?.partial && (
        <p class="notice warn">
          Partial result: some items are not embedded yet. Run <code>cairn reindex --missing</code>{" "}
          makes them.
        </p>
      )}
      {options.output?.warnings?.map(({ layer, message }) => (
        <p key={layer} class="notice warn">
          {message}
        </p>
      ))}
      {items.length === 0 ? (
        <p class="empty">No results.</p>
      ) : (
        <>
          <Legend items={items} />
          <ol class="recalled-list">
            {items.map((item, index) => (
              <Fragment key={item.id}>
                {index === firstCut && (
                  <li class="cut">Over the character limit: not sent to the model</li>
                )}
                <RecalledItem item={item} rank={index + 1} most={highest} />
              </Fragment>
            ))}
          </ol>
          <details class="model-reads">
            <summary>Text sent to the model</summary>
            <Stored as="pre" class="json" text={text} />
          </details>
        </>
      )}
    </section>
  );
}

interface RecalledItemProps {
  readonly item: Recalled;
  readonly rank: number;
  /** Largest activation of the result, to which all bars are scaled. */
  readonly most: number;
}

/** One recalled item with its score contributions. */
function RecalledItem({ item, rank, most }: RecalledItemProps) {
  const { explain } = item;
  return (
    <li class="recalled" data-given={item.isSent}>
      <p class="recalled-head">
        <span class="rank">{rank}</span>
        <TypeBadge type={item.type} />
        <ItemLink id={item.id} />
        <Marks item={{ open_conflicts: item.openConflicts }} />
        {item.source !== undefined && <span class="quiet">{item.source}</span>}
        <Age at={item.at} />
        <strong class="score">{item.score.toFixed(2)}</strong>
      </p>
      {explain !== undefined && <ScoreBar explanation={explain} most={most} />}
      <ItemLink id={item.id}>
        <span class="recalled-text">
          <ItemSummary item={item} chars={600} />
        </span>
      </ItemLink>
      {explain !== undefined && (
        <details>
          <summary>Score breakdown</summary>
          <table>
            <caption>
              {item.score.toFixed(2)} = 1 − e<sup>−{explain.activation}</sup>
              {explain.cosine !== undefined && `, cosine ${explain.cosine.toFixed(3)}`}
            </caption>
            <thead>
              <tr>
                <th scope="col">Part</th>
                <th scope="col">From</th>
                <th scope="col">Amount</th>
              </tr>
            </thead>
            <tbody>
              {explain.contributions.map(({ kind, from, amount }) => (
                <tr key={`${kind} ${from}`}>
                  <td>
                    <span class="swatch" data-part={kind} aria-hidden="true" /> {kind}
                  </td>
                  <td>{from === "query" ? "the query" : <ItemLink id={from} />}</td>
                  <td class="number">{amount}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </li>
  );
}
