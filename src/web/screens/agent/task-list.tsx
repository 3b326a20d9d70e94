import type { Task } from "../../agent/entry.ts";
import { Stored } from "../../components/stored.tsx";

const MARKS = { waiting: "○", running: "◐", done: "●", failed: "✕" } as const;

/** The agent's to-do list, above the composer. */
export function TaskList({ of }: { readonly of: readonly Task[] }) {
  if (of.length === 0) return null;
  const done = of.filter(({ state }) => state === "done").length;
  const running = of.find(({ state }) => state === "running");
  return (
    <details class="tasks" open>
      <summary>
        To-do: {done} of {of.length} done
        {running !== undefined && <Stored as="span" class="quiet" text={running.label} />}
      </summary>
      <ul>
        {of.map(({ id, label, state }) => (
          <li key={id} data-state={state}>
            <TaskMark of={state} /> <Stored text={label} />
          </li>
        ))}
      </ul>
    </details>
  );
}

export function TaskMark({ of }: { readonly of: Task["state"] }) {
  return (
    <span class="task-mark" data-state={of} role="img" aria-label={of}>
      {MARKS[of]}
    </span>
  );
}
