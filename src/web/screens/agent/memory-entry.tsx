import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Entry, Memory } from "../../agent/entry.ts";
import { ItemLink } from "../../components/link.tsx";
import { Said } from "../../components/said.tsx";

const TITLES = {
  memory: (count: number) => `Memory gave it ${count} ${count === 1 ? "thing" : "things"}`,
  offer: (count: number) =>
    `${count} ${count === 1 ? "thing is" : "things are"} worth keeping, if you say so`,
  learned: (count: number) => `Learned ${count} ${count === 1 ? "thing" : "things"}`,
} as const;

interface MemoryEntryProps {
  readonly of: Extract<Entry, { kind: "memory" }>;
  readonly connection: AgentConnection;
  readonly threadId: string;
}

export function MemoryEntry({ of, connection, threadId }: MemoryEntryProps) {
  const { what, memories, text } = of;
  const say = (words: string) =>
    connection.send({ type: "message.user", payload: { threadId, text: words } });
  return (
    <details class="entry memory" open={what !== "memory"}>
      <summary title={text}>{memories.length === 0 ? text : TITLES[what](memories.length)}</summary>
      <ul class="lines">
        {memories.map((memory, index) => (
          <li key={memory.id}>
            <MemoryLine of={memory} isStored={what !== "offer"} />
            {what === "offer" && (
              <button
                type="button"
                class="button"
                onClick={() => {
                  connection.log(threadId).say(`/keep ${index + 1}`);
                  say(`/keep ${index + 1}`);
                }}
              >
                Keep
              </button>
            )}
          </li>
        ))}
      </ul>
      {what === "memory" && memories.length > 0 && (
        <p class="quiet">
          Is one of them wrong? Open it to correct, supersede or forget it, or say{" "}
          <button type="button" class="button" onClick={() => say("/wrong")}>
            /wrong
          </button>
        </p>
      )}
    </details>
  );
}

export function MemorySeen({ of: { what, memories, text } }: Pick<MemoryEntryProps, "of">) {
  return (
    <details class="entry memory">
      <summary>{memories.length === 0 ? text : TITLES[what](memories.length)}</summary>
      <ul class="lines">
        {memories.map(({ id, text: said }) => (
          <li key={id}>
            <Said text={said} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function MemoryLine({ of: { id, text, why }, isStored }: { of: Memory; isStored: boolean }) {
  if (!isStored) return <Said text={text} />;
  return (
    <>
      <ItemLink id={id}>
        <code class="id">{id}</code> <Said text={text} />
      </ItemLink>
      {why !== undefined && <span class="quiet why">{shownOf(why)}</span>}
    </>
  );
}

const HOW: Readonly<Record<NonNullable<Memory["why"]>["how"], string>> = {
  question: "is about what was asked",
  passage: "settled such a matter",
  standing: "holds for such work",
  tool: "names the tool to use",
  cure: "cured the same failure",
  file: "is about the file",
};

/** `is about what was asked: 0.82 (text 0.61, entity 1)` */
function shownOf({ how, score, parts = [] }: NonNullable<Memory["why"]>): string {
  const shares = parts.map(({ kind, amount }) => `${kind} ${amount.toFixed(2)}`);
  const ranked = score === undefined ? "" : `: ${score.toFixed(2)}`;
  return `${HOW[how]}${ranked}${shares.length === 0 ? "" : ` (${shares.join(", ")})`}`;
}
