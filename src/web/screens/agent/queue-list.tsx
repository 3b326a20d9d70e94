import { useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Queued } from "../../agent/entry.ts";
import { Stored } from "../../components/stored.tsx";

interface QueueListProps {
  readonly connection: AgentConnection;
  readonly threadId: string;
  readonly queue: readonly Queued[];
}

export function QueueList({ connection, threadId, queue }: QueueListProps) {
  const [edited, setEdited] = useState<string>();
  const change = (id: string, wish: { text?: string; place?: number }) =>
    connection.send({ type: "queue.change", payload: { threadId, id, ...wish } });
  return (
    <ol class="queue" aria-label="Waits for the run">
      {queue.map(({ id, text }, place) => (
        <li key={id}>
          {edited === id ? (
            <QueuedWords
              text={text}
              onDone={(words) => {
                if (words === undefined || change(id, { text: words })) setEdited(undefined);
              }}
            />
          ) : (
            <>
              <Stored as="span" class="queue-text" text={text} />
              <button type="button" class="button quiet" onClick={() => setEdited(id)}>
                Edit
              </button>
              {place > 0 && (
                <button
                  type="button"
                  class="icon-button"
                  aria-label="Say it earlier"
                  onClick={() => change(id, { place: place - 1 })}
                >
                  ↑
                </button>
              )}
              <button
                type="button"
                class="icon-button"
                aria-label="Take it back"
                onClick={() => connection.send({ type: "queue.remove", payload: { threadId, id } })}
              >
                ×
              </button>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

interface QueuedWordsProps {
  readonly text: string;
  onDone(words: string | undefined): void;
}

function QueuedWords({ text, onDone }: QueuedWordsProps) {
  const [words, setWords] = useState(text);
  return (
    <form
      class="queue-edit"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim() !== "") onDone(words);
      }}
    >
      <textarea
        rows={2}
        aria-label="Words of the message that waits"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <button type="submit" class="button primary">
        Save
      </button>
      <button type="button" class="button" onClick={() => onDone(undefined)}>
        Leave it
      </button>
    </form>
  );
}
