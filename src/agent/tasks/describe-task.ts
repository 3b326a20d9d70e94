import type { Task, TaskDraft } from "./task-store.ts";

export function describeDraft(draft: TaskDraft): string {
  return [
    draft.name,
    ...(draft.description === "" ? [] : [draft.description]),
    ...listed("Related files:", draft.relatedFiles),
    ...listed("Acceptance criteria:", draft.acceptanceCriteria),
    ...(draft.codeContext === undefined ? [] : ["Code context:", draft.codeContext]),
  ].join("\n");
}

/** Several drafts, numbered as they would be saved. */
export function describeDrafts(drafts: readonly TaskDraft[]): string {
  return drafts.map((draft, index) => `${index + 1}. ${indent(describeDraft(draft))}`).join("\n\n");
}

/** One line: `[x] 1-2 Name`. */
export function taskLine(task: Task): string {
  return `${MARKS[task.status]} ${task.id}  ${task.name}`;
}

const MARKS: Readonly<Record<Task["status"], string>> = {
  pending: "[ ]",
  "in-progress": "[~]",
  done: "[x]",
};

function listed(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `- ${item}`)];
}

function indent(text: string): string {
  return text.replace(/\n(?=.)/g, "\n   ");
}
