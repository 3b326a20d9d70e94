import { useEffect } from "preact/hooks";
import type { AgentConnection } from "../agent/agent-connection.ts";
import type { Question, ThreadInfo } from "../agent/entry.ts";
import { Age } from "../components/age.tsx";
import { Stored } from "../components/stored.tsx";
import { PermissionCard } from "../screens/agent/permission-card.tsx";
import { standingOf } from "../screens/agent/thread-list.tsx";
import type { PhoneAccess, WaitingItem } from "./phone-access.ts";

interface WaitingProps {
  readonly access: PhoneAccess;
  readonly connection: AgentConnection;
}

/** The questions of all threads, then what only waits for the computer, then the threads. */
export function WaitingHere({ access, connection }: WaitingProps) {
  const { questions, threads } = connection;
  const known = threads.value ?? [];
  const asking = known.filter(({ pendingPrompt }) => pendingPrompt !== undefined);
  const { conflicts, proposals } = access.inMemory.value;
  useEffect(() => {
    const look = () => {
      // What memory waits for is no reason to lose the agent's questions.
      if (!document.hidden) access.look().catch(() => undefined);
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [access]);
  return (
    <div class="page-body">
      <h1>Waits for you</h1>
      {questions.value.length === 0 && asking.length === 0 && (
        <p class="empty">The agent asks nothing.</p>
      )}
      {questions.value.map((question) => (
        <OpenQuestion
          key={question.questionId}
          connection={connection}
          question={question}
          threads={known}
        />
      ))}
      {asking.map(({ threadId, title, pendingPrompt = "" }) => (
        <section key={threadId} class="notice">
          <Stored as="p" class="quiet" text={title ?? threadId} />
          <Stored as="p" text={pendingPrompt} />
          <p class="quiet">This is answered on the computer.</p>
        </section>
      ))}
      <Threads connection={connection} threads={known} />
      <Decisions title="Conflicts in memory" of={conflicts} between=" — or — " />
      <Decisions title="Proposed for memory" of={proposals} between="" />
    </div>
  );
}

interface QuestionProps {
  readonly connection: AgentConnection;
  readonly question: Question;
  readonly threads: readonly ThreadInfo[];
}

/** A phone says yes or no to this call; what holds from now on is said on the computer. */
export function OpenQuestion({ connection, question, threads }: QuestionProps) {
  const { threadId } = question;
  const title = threads.find((thread) => thread.threadId === threadId)?.title ?? threadId;
  return (
    <>
      <p class="quiet">
        On the thread{" "}
        <a href={hashOf(threadId)}>
          <Stored text={title} />
        </a>
      </p>
      <PermissionCard connection={connection} question={{ ...question, always: [] }} />
    </>
  );
}

function Threads({ connection, threads }: Omit<QuestionProps, "question">) {
  const asked = new Set(connection.questions.value.map(({ threadId }) => threadId));
  const inOrder = [...threads].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  return (
    <section>
      <h2>Threads</h2>
      {threads.length === 0 && <p class="quiet">There is none yet.</p>}
      <ul class="phone-threads">
        {inOrder.map((thread) => (
          <li key={thread.threadId}>
            <a class="thread-link" href={hashOf(thread.threadId)}>
              <Stored as="span" class="thread-title" text={thread.title ?? "Nothing said yet"} />
              <span class="quiet">{standingOf(thread, asked)}</span> <Age at={thread.updatedAt} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DecisionsProps {
  readonly title: string;
  readonly of: readonly WaitingItem[];
  readonly between: string;
}

/** Read here, decided on the computer: what is decided changes memory for everybody. */
function Decisions({ title, of, between }: DecisionsProps) {
  if (of.length === 0) return null;
  return (
    <details>
      <summary>
        {title} ({of.length})
      </summary>
      <ul class="lines">
        {of.map(({ id, says }) => (
          <li key={id}>
            {says.map((text, index) => (
              <span key={text}>
                {index > 0 && <span class="quiet">{between}</span>}
                <Stored text={text} />
              </span>
            ))}
          </li>
        ))}
      </ul>
      <p class="quiet">They are decided on the computer.</p>
    </details>
  );
}

function hashOf(threadId: string): string {
  return `#thread=${encodeURIComponent(threadId)}`;
}
