import type { Task } from "../../agent/entry.ts";
import { Stored } from "../../components/stored.tsx";

const MARKS = { waiting: "○", running: "◐", done: "●", failed: "✕" } as const;

/** The agent's to-do list, above the composer. */
export function TaskList({ tasks }: { readonly tasks: readonly Task[] }) {
  if (tasks.length === 0) return null;
  const done = tasks.filter(({ state }) => state === "done").length;
  const running = tasks.find(({ state }) => state === "running");
  return (
    <details class="tasks" open>
      <summary>
        To-do: {done} of {tasks.length} done
        {running !== undefined && <Stored as="span" class="quiet" text={running.label} />}
      </summary>
      <ul>
        {tasks.map(({ id, label, state }) => (
          <li key={id} data-state={state}>
            <TaskMark state={state} /> <Stored text={label} />
          </li>
        ))}
      </ul>
    </details>
  );
}

export function TaskMark({ state }: { readonly state: Task["state"] }) {
  return (
    <span class="task-mark" data-state={state} role="img" aria-label={state}>
      {MARKS[state]}
    </span>
  );
}
