import { useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { shorten } from "../../../shared/text.ts";
import { TextField } from "../../components/controls.tsx";
import { Failure } from "../../components/failure.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuery } from "../../data/use-query.ts";
import type { Writer } from "../../data/writer.ts";
import { usePage } from "../../page.ts";
import { type Choice, type DecisionOptions, Decisions } from "./decisions.tsx";

/** Types of evidence of an episode for a concept. */
const EVIDENCE = ["supports", "contradicts", "exemplifies", "qualifies"] as const;

interface Draft {
  readonly title: string;
  readonly summary: string;
  readonly confidence: number;
  /** Evidence type by episode; empty for a source without one, `none` to exclude the episode. */
  readonly evidence: Readonly<Record<string, string>>;
}

const EMPTY_DRAFT: Draft = { title: "", summary: "", confidence: 0.5, evidence: {} };

/**
 * Returns a changeset that creates the concept with its evidence and marks the episodes as
 * reviewed.
 */
function draftChangeset(episodes: readonly { readonly id: string }[], draft: Draft): string {
  const { title, summary, confidence, evidence } = draft;
  const sources = episodes.filter(({ id }) => evidence[id] !== "none").map(({ id }) => id);
  const bearing = sources.flatMap((id) => {
    const type = evidence[id];
    return type ? [`evidence concept=$it episode=${id} type=${type}`] : [];
  });
  const from = sources.length === 0 ? "" : ` from=${sources.join(",")}`;
  return [
    `concept title=${quoted(title)} confidence=${confidence}${from} as=it ${quoted(summary || title)}`,
    ...bearing,
    `processed ids=${episodes.map(({ id }) => id).join(",")}`,
  ].join("\n");
}

function quoted(text: string): string {
  const safe = text.trim().replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
  return `"${safe}"`;
}

interface ConceptFieldsProps {
  readonly draft: Draft;
  readonly changeset: string;
  change(part: Partial<Draft>): void;
}

function ConceptFields({ draft, changeset, change }: ConceptFieldsProps) {
  return (
    <div class="fields">
      <TextField
        label="Concept title"
        value={draft.title}
        onInput={(value) => change({ title: value })}
      />
      <label>
        Summary
        <textarea
          rows={3}
          value={draft.summary}
          onInput={({ currentTarget }) => change({ summary: currentTarget.value })}
        />
      </label>
      <label>
        Confidence {draft.confidence.toFixed(2)}
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={draft.confidence}
          onInput={({ currentTarget }) => change({ confidence: Number(currentTarget.value) })}
        />
      </label>
      <details open={draft.title !== ""}>
        <summary>Changeset</summary>
        <pre class="json">{changeset}</pre>
      </details>
    </div>
  );
}

const REASONS = { session: "Same session", entity: "About", time: "Same day" } as const;

/** Generalizes related episodes into one concept; previews the changeset before it is applied. */
export function Pending() {
  const { writer } = usePage();
  const { output, failure, retry } = useQuery("pending_batches", { limit: 10 });
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const choices = batchChoices(writer, drafts);
  if (failure !== undefined) return <Failure error={failure} retry={retry} />;
  if (output === undefined) return <Loading rows={6} />;
  return (
    <Decisions
      items={output.batches}
      total={output.total}
      amountOf={({ episodes }) => episodes.length}
      keyOf={keyOfBatch}
      choices={choices}
      label={() => "A batch of episodes"}
      nothing="All episodes are reviewed."
    >
      {(batch) => {
        const key = keyOfBatch(batch);
        const draft = drafts[key] ?? EMPTY_DRAFT;
        const change = (part: Partial<Draft>) =>
          setDrafts((previous) => ({ ...previous, [key]: { ...draft, ...part } }));
        return <Batch batch={batch} draft={draft} change={change} />;
      }}
    </Decisions>
  );
}

interface BatchProps {
  readonly batch: PendingBatch;
  readonly draft: Draft;
  change(part: Partial<Draft>): void;
}

function Batch({ batch: { reason, name, episodes }, draft, change }: BatchProps) {
  const { session } = usePage();
  const changeset = draftChangeset(episodes, draft);
  return (
    <>
      <h2>
        {REASONS[reason]}: <Stored text={name} />
      </h2>
      <div class="batch">
        <BatchEpisodes
          episodes={episodes}
          evidence={draft.evidence}
          onChange={(evidence) => change({ evidence })}
        />
        {session.canWrite && <ConceptFields draft={draft} changeset={changeset} change={change} />}
      </div>
    </>
  );
}

function batchChoices(
  writer: Writer,
  drafts: Readonly<Record<string, Draft>>,
): readonly Choice<PendingBatch>[] {
  const getDraft = (batch: PendingBatch) => drafts[keyOfBatch(batch)] ?? EMPTY_DRAFT;
  const apply = (
    { episodes }: PendingBatch,
    changeset: string,
    { optimistic, ...options }: DecisionOptions & { readonly done: string },
  ) => {
    const all = new Map(optimistic);
    for (const { id } of episodes) all.set(id, { processed: true });
    return writer.write("apply", { changeset }, { ...options, optimistic: all });
  };
  return [
    {
      id: "write-concept",
      title: "Create concept",
      key: "Mod+Enter",
      look: "primary",
      applies: (batch) => getDraft(batch).title.trim() !== "",
      decide(batch, options) {
        const draft = getDraft(batch);
        const changeset = draftChangeset(batch.episodes, draft);
        return apply(batch, changeset, { ...options, done: `Created concept “${draft.title}”.` });
      },
    },
    {
      id: "batch-reviewed",
      title: "Mark as reviewed",
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

interface BatchEpisodesProps {
  readonly episodes: PendingBatch["episodes"];
  readonly evidence: Draft["evidence"];
  onChange(evidence: Draft["evidence"]): void;
}

/** The episodes of a batch, each with its type of evidence. */
function BatchEpisodes({ episodes, evidence, onChange }: BatchEpisodesProps) {
  const { session } = usePage();
  return (
    <ul class="lines">
      {episodes.map(({ id, content, episode_type: type }) => (
        <li key={id}>
          <span class="type" data-type={type}>
            {type}
          </span>
          <ItemLink id={id}>
            <Stored as="span" class="line-text" text={shorten(content, 400)} />
          </ItemLink>
          {session.canWrite && (
            <select
              aria-label={`Role of ${id}`}
              value={evidence[id] ?? ""}
              onChange={({ currentTarget }) => onChange({ ...evidence, [id]: currentTarget.value })}
            >
              <option value="">source</option>
              {EVIDENCE.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
              <option value="none">not included</option>
            </select>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Related episodes that wait for a review. */
type PendingBatch = OutputOf<"pending_batches">["batches"][number];

function keyOfBatch({ reason, name, episodes }: PendingBatch): string {
  return `${reason} ${name} ${episodes[0]?.id}`;
}
