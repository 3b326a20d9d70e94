import { Failure } from "../../components/failure.tsx";
import { Stored } from "../../components/stored.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { StillAsking, useEarlyAnswer } from "./early-answer.tsx";
import type { RecallInput } from "./recall-query.ts";
import { mergeAnswers } from "./recalled.ts";
import { RecalledItem } from "./recalled-item.tsx";
import { Legend } from "./score-bar.tsx";

interface RecallAnswerProps {
  readonly input: RecallInput;
  readonly chars: number;
  readonly db?: string | undefined;
  readonly title: string;
}

export function RecallAnswer({ input, chars, db, title }: RecallAnswerProps) {
  const all = useQuestion("recall", { ...input, explain: true }, { of: db });
  const given = useQuestion("recall", { ...input, max_chars: chars }, { of: db });
  const early = useEarlyAnswer(input, { db, isWaiting: all.output === undefined });
  if (all.failure !== undefined) return <Failure of={all.failure} again={all.again} />;
  const shown = all.output ?? early;
  if (shown === undefined) return <Waiting rows={5} />;
  const items = mergeAnswers(shown, given.output);
  const most = Math.max(...items.map(({ explain }) => explain?.activation ?? 0));
  const understood = shown.explain;
  const text = given.output?.formatted ?? "";
  const firstCut = items.findIndex(({ isGiven }) => !isGiven);
  return (
    <section class="answer" aria-label={title}>
      <h2>{title}</h2>
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
      {all.output === undefined && <StillAsking missing={understood?.missing_vectors ?? 0} />}
      {all.output?.partial && (
        <p class="notice warn">
          The answer is partial: some items have no vector yet. <code>cairn reindex --missing</code>{" "}
          makes them.
        </p>
      )}
      {given.output?.warnings?.map(({ layer, message }) => (
        <p key={layer} class="notice warn">
          {message}
        </p>
      ))}
      {items.length === 0 ? (
        <p class="empty">Nothing in this memory has to do with it.</p>
      ) : (
        <>
          <Legend of={items} />
          <ol class="recalled-list">
            {items.map((item, index) => (
              <>
                {index === firstCut && (
                  <li key="cut" class="cut">
                    What follows did not fit: the model does not get it
                  </li>
                )}
                <RecalledItem key={item.id} item={item} rank={index + 1} most={most} />
              </>
            ))}
          </ol>
          <details class="model-reads">
            <summary>What the model reads, to the letter</summary>
            <Stored as="pre" class="json" text={text} />
          </details>
        </>
      )}
    </section>
  );
}
