import { useMemo, useRef, useState } from "preact/hooks";
import { shorten } from "../../../kernel/shorten.ts";
import type { OutputOf } from "../../../memory/index.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { type Draft, draftChangeset, EMPTY_DRAFT, EVIDENCE } from "./draft-changeset.ts";
import { Progress } from "./progress.tsx";

type Batch = OutputOf<"pending_batches">["batches"][number];

const REASONS = { session: "One session", entity: "About", time: "One day" } as const;

/** Episodes that belong together become one concept: the changeset is shown before it is written. */
export function Pending() {
  const page = usePage();
  const { router, writer, session } = page;
  const { db } = router.place.value;
  const { output, failure, again } = useQuestion("pending_batches", { limit: 10 });
  const [passed, setPassed] = useState<readonly string[]>([]);
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [done, setDone] = useState(0);
  const foreseen = writer.foreseen.value;
  const batches = (output?.batches ?? [])
    .map((batch) => ({
      ...batch,
      episodes: batch.episodes.filter(({ id }) => foreseen.get(id)?.processed !== true),
    }))
    .filter((batch) => batch.episodes.length > 0 && !passed.includes(keyOf(batch)));
  const batch = batches[0];
  const key = batch === undefined ? "" : keyOf(batch);
  const draft = drafts[key] ?? EMPTY_DRAFT;
  const changeset = batch === undefined ? "" : draftChangeset(batch.episodes, draft);
  const change = (part: Partial<Draft>) => setDrafts({ ...drafts, [key]: { ...draft, ...part } });
  const state = useRef({ batch, changeset, draft });
  state.current = { batch, changeset, draft };
  // Buttons look at their action again only when the actions are others.
  const isTitled = draft.title.trim() !== "";
  const actions = useMemo((): readonly Action[] => {
    const write = (text: string, told: string) => {
      const { batch: present } = state.current;
      if (present === undefined) return;
      setDone((count) => count + present.episodes.length);
      void writer
        .write(
          "apply",
          { changeset: text },
          {
            db,
            done: told,
            foreseen: new Map(present.episodes.map(({ id }) => [id, { processed: true }])),
          },
        )
        .then((answer) => {
          if (answer === undefined) setDone((count) => count - present.episodes.length);
        });
    };
    const shared = { group: "This screen", isWrite: true } as const;
    const applies = () => state.current.batch !== undefined;
    return [
      {
        ...shared,
        id: "write-concept",
        title: "Write the concept",
        keys: ["Mod+Enter"],
        applies: () => applies() && isTitled,
        run: () => write(state.current.changeset, `Wrote “${state.current.draft.title}”.`),
      },
      {
        ...shared,
        id: "batch-reviewed",
        title: "Only mark as reviewed",
        keys: ["r"],
        applies,
        run: () => {
          const episodes = state.current.batch?.episodes ?? [];
          write(
            JSON.stringify([{ op: "processed", ids: episodes.map(({ id }) => id) }]),
            `Marked ${episodes.length} episodes as reviewed.`,
          );
        },
      },
      {
        id: "skip",
        title: "Skip",
        group: "This screen",
        keys: ["s"],
        applies,
        run: () => {
          const { batch: present } = state.current;
          if (present !== undefined) setPassed((former) => [...former, keyOf(present)]);
        },
      },
    ];
  }, [db, writer, isTitled]);
  useScreenActions(actions);
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (output === undefined) return <Waiting rows={6} />;
  if (batch === undefined) {
    return (
      <div class="empty">
        <p>{passed.length > 0 ? "The others were skipped." : "Everything was reviewed."}</p>
      </div>
    );
  }
  return (
    <section class="decision" aria-label="A batch of episodes">
      <h2>
        {REASONS[batch.reason]}: <Stored text={batch.name} />
      </h2>
      <div class="batch">
        <ul class="lines">
          {batch.episodes.map(({ id, content, episode_type: type }) => (
            <li key={id}>
              <span class="type" data-type={type}>
                {type}
              </span>
              <ItemLink id={id}>
                <Stored as="span" class="line-text" text={shorten(content, 400)} />
              </ItemLink>
              {session.canWrite && (
                <select
                  aria-label={`How ${id} bears on the concept`}
                  value={draft.evidence[id] ?? ""}
                  onChange={({ currentTarget }) =>
                    change({ evidence: { ...draft.evidence, [id]: currentTarget.value } })
                  }
                >
                  <option value="">a source</option>
                  {EVIDENCE.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                  <option value="none">not part of it</option>
                </select>
              )}
            </li>
          ))}
        </ul>
        {session.canWrite && (
          <div class="fields">
            <label>
              What do they say together? Title
              <input
                value={draft.title}
                onInput={({ currentTarget }) => change({ title: currentTarget.value })}
              />
            </label>
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
              <summary>What will be written</summary>
              <pre class="json">{changeset}</pre>
            </details>
          </div>
        )}
      </div>
      <div class="item-actions">
        <ActionButton id="write-concept" class="button primary" />
        <ActionButton id="batch-reviewed" />
        <ActionButton id="skip" />
        <ActionButton id="undo" class="button quiet" />
      </div>
      <Progress done={done} left={output.total} />
    </section>
  );
}

function keyOf(batch: Batch): string {
  return `${batch.reason} ${batch.name} ${batch.episodes[0]?.id}`;
}
