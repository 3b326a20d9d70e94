import type { AgentConnection } from "../agent/agent-connection.ts";
import { Stored } from "../components/stored.tsx";
import { TaskList } from "../screens/agent/task-list.tsx";
import { ThreadStream } from "../screens/agent/thread-stream.tsx";
import { OpenQuestion } from "./waiting-here.tsx";

interface PhoneThreadProps {
  readonly connection: AgentConnection;
  readonly threadId: string;
}

/** One thread as it goes on, to look at. */
export function PhoneThread({ connection, threadId }: PhoneThreadProps) {
  const threads = connection.threads.value ?? [];
  const thread = threads.find((one) => one.threadId === threadId);
  const log = thread === undefined ? undefined : connection.log(threadId);
  const question = connection.questions.value.find((one) => one.threadId === threadId);
  return (
    <div class="phone-thread">
      <p>
        <a href="#threads">All threads</a>
      </p>
      <Stored as="h1" text={thread?.title ?? "This thread is gone"} />
      <ThreadStream connection={connection} threadId={threadId} log={log} onlyLooksOn>
        {log !== undefined && <TaskList of={log.tasks.value} />}
        {question !== undefined && (
          <OpenQuestion
            key={question.questionId}
            connection={connection}
            question={question}
            threads={threads}
          />
        )}
      </ThreadStream>
    </div>
  );
}
