import { useEffect } from "preact/hooks";
import type { PlannedWork, Task } from "../../agent/entry.ts";
import { Button, IconButton } from "../../components/controls.tsx";
import { Stored } from "../../components/stored.tsx";
import { Markdown } from "../../markdown/markdown.tsx";
import { usePage } from "../../page.ts";
import { DiffCount, DiffView } from "./diff-view.tsx";
import { TaskMark } from "./task-list.tsx";
import { PANELS } from "./thread-head.tsx";
import type { OpenThread } from "./use-thread.ts";

type PlannedTask = PlannedWork["tasks"][number];

/** Panel next to the conversation, or over it in narrow windows. */
export function SidePanel({ open }: { readonly open: OpenThread }) {
  const { router } = usePage();
  const { panel } = router.location.value.query;
  const shown = PANELS.find(({ name }) => name === panel);
  if (shown === undefined || open.connection.isApprover) return null;
  return (
    <aside class="side-panel" aria-label={shown.title}>
      <header>
        <h2>{shown.title}</h2>
        <IconButton
          icon="close"
          label="Close panel"
          onClick={() => router.setQuery({ panel: "" })}
        />
      </header>
      {shown.name === "changes" ? <ChangesPanel open={open} /> : <PlanPanel open={open} />}
    </aside>
  );
}

function ChangesPanel({ open: { connection, threadId, thread, isBusy } }: { open: OpenThread }) {
  const isLive = connection.isLive.value;
  const isCreated = thread !== undefined;
  useEffect(() => {
    if (isLive && isCreated) connection.send({ type: "thread.changes", payload: { threadId } });
  }, [connection, isLive, isCreated, threadId, isBusy]);
  const { value: changes } = connection.responses.changes;
  const files = changes?.threadId === threadId ? changes.files : undefined;
  if (isCreated && files === undefined) return <p class="quiet">Loading …</p>;
  if (files === undefined || files.length === 0) {
    return <p class="quiet">No changed files. Changes appear after each turn.</p>;
  }
  return (
    <ul class="changes">
      {files.map(({ path, diff }) => (
        <li key={path}>
          <details>
            <summary>
              <Stored as="code" text={path} /> <DiffCount diff={diff} />
            </summary>
            {diff === "" ? <p class="quiet">Not a text file.</p> : <DiffView diff={diff} />}
          </details>
        </li>
      ))}
    </ul>
  );
}

function PlanPanel({ open }: { readonly open: OpenThread }) {
  usePlanned(open);
  const { connection, isBusy } = open;
  const { plans, tasks } = connection.responses.planned.value ?? { plans: [], tasks: [] };
  const loose = tasks.filter(({ plan }) => plan === 0);
  return (
    <>
      <div class="item-actions">
        <Button disabled={isBusy} onClick={() => open.say("/plan")}>
          Make a plan
        </Button>
      </div>
      {plans.length === 0 && tasks.length === 0 && (
        <p class="quiet">
          No plans or tasks. <code>/tasks add</code> adds a single task.
        </p>
      )}
      {plans.map((plan) => (
        <Plan key={plan.id} open={open} plan={plan} tasks={tasks} />
      ))}
      {loose.length > 0 && <LooseTasks open={open} tasks={loose} />}
    </>
  );
}

interface PlanProps {
  readonly open: OpenThread;
  readonly plan: PlannedWork["plans"][number];
  readonly tasks: readonly PlannedTask[];
}

function Plan({ open, plan: { id, name, description, approach }, tasks }: PlanProps) {
  const own = tasks.filter(({ plan }) => plan === id);
  const run = () => open.send({ type: "task.run", payload: { threadId: open.threadId, plan: id } });
  const isOpen = own.some(({ status }) => status !== "done");
  return (
    <section class="plan">
      <Stored as="b" text={name} />
      {description !== "" && <Stored as="p" class="quiet" text={description} />}
      {approach !== "" && (
        <details>
          <summary>Approach</summary>
          <Markdown text={approach} />
        </details>
      )}
      <TasksOf open={open} tasks={own} />
      <div class="item-actions">
        {own.length === 0 && (
          <Button disabled={open.isBusy} onClick={() => open.say(`/plans split ${id}`)}>
            Split into tasks
          </Button>
        )}
        {isOpen && (
          <Button disabled={open.isBusy} onClick={run}>
            Run plan
          </Button>
        )}
      </div>
    </section>
  );
}

interface TasksProps {
  readonly open: OpenThread;
  readonly tasks: readonly PlannedTask[];
}

function LooseTasks({ open, tasks }: TasksProps) {
  const { threadId, isBusy } = open;
  const run = () => open.send({ type: "task.run", payload: { threadId } });
  const isOpen = tasks.some(({ status }) => status !== "done");
  return (
    <section class="plan">
      <b>Tasks without a plan</b>
      <TasksOf open={open} tasks={tasks} />
      {isOpen && (
        <div class="item-actions">
          <Button disabled={isBusy} onClick={run}>
            Run open tasks
          </Button>
        </div>
      )}
    </section>
  );
}

function TasksOf({ open, tasks }: TasksProps) {
  const shown = new Map(open.log?.tasks.value.map(({ id, state }) => [id, state]));
  return (
    <ul class="task-lines">
      {tasks.map(({ id, name, status }) => (
        <li key={id}>
          <TaskMark state={shown.get(id) ?? STATES[status]} /> <Stored text={name} />
          {status !== "done" && !open.isBusy && (
            <Button
              kind="quiet"
              aria-label={`Run ${name}`}
              onClick={() =>
                open.send({ type: "task.run", payload: { threadId: open.threadId, id } })
              }
            >
              Run
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

const STATES: Readonly<Record<PlannedTask["status"], Task["state"]>> = {
  pending: "waiting",
  "in-progress": "running",
  done: "done",
};

function usePlanned({ connection, isBusy, log }: OpenThread): void {
  const isLive = connection.isLive.value;
  const progress = log?.tasks.value;
  useEffect(() => {
    if (isLive) connection.send({ type: "task.list", payload: {} });
  }, [connection, isLive, isBusy, progress]);
}
