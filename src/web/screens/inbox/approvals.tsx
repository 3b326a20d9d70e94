import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Question, ThreadInfo } from "../../agent/entry.ts";
import { noticePermission, requestNotices } from "../../agent/notices.ts";
import { questionActions } from "../../agent/question-actions.ts";
import { getPrompt } from "../../agent/thread-log.ts";
import { Button } from "../../components/controls.tsx";
import { Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { usePage } from "../../page.ts";
import { PermissionCard, PromptCard, useDenial } from "../agent/permission-card.tsx";

export function Approvals() {
  const connection = usePage().agent.connection.value;
  if (connection === undefined) return null;
  return (
    <>
      <OpenQuestions connection={connection} />
      <p class="item-actions">
        {noticePermission.value === "default" && (
          <Button kind="quiet" onClick={() => void requestNotices()}>
            Enable desktop notifications
          </Button>
        )}
      </p>
    </>
  );
}

function OpenQuestions({ connection }: { readonly connection: AgentConnection }) {
  const { questions, threads } = connection;
  const question = questions.value[0];
  const denial = useDenial();
  useScreenActions(
    questionActions(question && { connection, question }, () => denial.begin(question)),
  );
  const asking = (threads.value ?? []).filter(({ pendingPrompt }) => pendingPrompt !== undefined);
  if (question === undefined && asking.length === 0) {
    return (
      <div class="empty">
        <p>No pending approvals.</p>
      </div>
    );
  }
  return (
    <>
      {question !== undefined && (
        <>
          <OnThread question={question} threads={threads.value ?? []} />
          <PermissionCard
            key={question.questionId}
            connection={connection}
            question={question}
            hasKeys
            {...denial.on(question)}
          />
          {questions.value.length > 1 && (
            <p class="quiet">{questions.value.length - 1} more pending.</p>
          )}
        </>
      )}
      {asking.map((thread) => (
        <AskingThread key={thread.threadId} connection={connection} thread={thread} />
      ))}
    </>
  );
}

interface OnThreadProps {
  readonly question: Pick<Question, "threadId">;
  readonly threads: readonly ThreadInfo[];
}

function OnThread({ question: { threadId }, threads }: OnThreadProps) {
  const { router } = usePage();
  const title = threads.find((thread) => thread.threadId === threadId)?.title ?? threadId;
  return (
    <p class="quiet">
      Thread:{" "}
      <Link to={router.href({ screen: "agent", id: threadId })}>
        <Stored text={title} />
      </Link>
    </p>
  );
}

interface AskingThreadProps {
  readonly connection: AgentConnection;
  readonly thread: ThreadInfo;
}

function AskingThread({ connection, thread }: AskingThreadProps) {
  const { threadId, pendingPrompt = "" } = thread;
  const known = connection.log(threadId).prompt.value;
  const prompt = known ?? getPrompt(pendingPrompt);
  const answer = (text: string) =>
    connection.send({ type: "message.user", payload: { threadId, text } });
  return (
    <>
      <OnThread question={thread} threads={[thread]} />
      <PromptCard prompt={prompt} onAnswer={answer} />
    </>
  );
}
