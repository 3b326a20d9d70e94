import type { Task } from "../../agent/entry.ts";
import { Stored } from "../../components/stored.tsx";

const MARKS = { waiting: "○", running: "◐", done: "●", failed: "✕" } as const;

export function TaskList({ of }: { readonly of: readonly Task[] }) {
  if (of.length === 0) return null;
  const done = of.filter(({ state }) => state === "done").length;
  return (
    <details class="tasks" open>
      <summary>
        Tasks: {done} of {of.length} done
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
