import { useEffect } from "preact/hooks";
import type { PlannedWork, Task } from "../../agent/entry.ts";
import { Stored } from "../../components/stored.tsx";
import { TextBody } from "../../components/text-body.tsx";
import { TaskMark } from "./task-list.tsx";
import type { OpenThread } from "./use-thread.ts";

type PlannedTask = PlannedWork["tasks"][number];

export function Work({ open }: { readonly open: OpenThread }) {
  usePlanned(open);
  const { connection, isBusy } = open;
  const isInCopies = open.thread?.isBusy === true && !open.thread.isRunning;
  const isWorking =
    isBusy && (isInCopies || open.log?.tasks.value.some(({ state }) => state === "running"));
  const { plans, tasks } = connection.answers.planned.value ?? { plans: [], tasks: [] };
  const loose = tasks.filter(({ plan }) => plan === 0);
  return (
    <div class="work">
      <div class="item-actions">
        <button type="button" class="button" disabled={isBusy} onClick={() => open.say("/plan")}>
          Make a plan
        </button>
        {isWorking && (
          <button type="button" class="button danger" onClick={open.stop}>
            Stop the tasks
          </button>
        )}
      </div>
      {plans.length === 0 && tasks.length === 0 && (
        <p class="quiet">
          Nothing is planned. A plan is talked over with the agent and split into tasks;{" "}
          <code>/tasks add</code> makes a task by itself.
        </p>
      )}
      {plans.map((plan) => (
        <Plan key={plan.id} open={open} of={plan} tasks={tasks} />
      ))}
      {loose.length > 0 && <LooseTasks open={open} tasks={loose} />}
    </div>
  );
}

interface PlanProps {
  readonly open: OpenThread;
  readonly of: PlannedWork["plans"][number];
  readonly tasks: readonly PlannedTask[];
}

function Plan({ open, of: { id, name, description, approach }, tasks }: PlanProps) {
  const own = tasks.filter(({ plan }) => plan === id);
  const run = () => open.send({ type: "task.run", payload: { threadId: open.threadId, plan: id } });
  const isOpen = own.some(({ status }) => status !== "done");
  return (
    <section class="plan">
      <Stored as="b" text={name} />
      {description !== "" && <Stored as="p" class="quiet" text={description} />}
      {approach !== "" && (
        <details>
          <summary>How</summary>
          <TextBody text={approach} />
        </details>
      )}
      <TasksOf open={open} tasks={own} />
      <div class="item-actions">
        {own.length === 0 && (
          <button
            type="button"
            class="button"
            disabled={open.isBusy}
            onClick={() => open.say(`/plans split ${id}`)}
          >
            Split into tasks
          </button>
        )}
        {isOpen && (
          <button type="button" class="button" disabled={open.isBusy} onClick={run}>
            Run the plan
          </button>
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
          <button type="button" class="button" disabled={isBusy} onClick={run}>
            Run the open ones
          </button>
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
          <TaskMark of={shown.get(id) ?? STATES[status]} /> <Stored text={name} />
          {status !== "done" && !open.isBusy && (
            <button
              type="button"
              class="button quiet"
              aria-label={`Run ${name}`}
              onClick={() =>
                open.send({ type: "task.run", payload: { threadId: open.threadId, id } })
              }
            >
              Run
            </button>
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

/** Asked for again when a run begins, gets a step further or ends. */
function usePlanned({ connection, isBusy, log }: OpenThread): void {
  const isLive = connection.isLive.value;
  const progress = log?.tasks.value;
  useEffect(() => {
    if (isLive) connection.send({ type: "task.list", payload: {} });
  }, [connection, isLive, isBusy, progress]);
}
