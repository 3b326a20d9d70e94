import { z } from "zod";
import { defineTool } from "./define-tool.ts";

const TODO_STATES = ["waiting", "running", "done"] as const;

export const todoTool = defineTool({
  name: "todo",
  description:
    "Shows the user your list of steps. For three or more steps: send the whole list at the start " +
    "and whenever a step starts or is done.",
  readOnly: true,
  input: z.strictObject({
    items: z
      .array(z.strictObject({ text: z.string().min(1).max(200), state: z.enum(TODO_STATES) }))
      .max(50),
  }),
  uses: () => [],
  async run({ showProgress }, { items }) {
    showProgress?.(
      items.map(({ text, state }, index) => ({ id: `todo-${index + 1}`, label: text, state })),
    );
    const done = items.filter(({ state }) => state === "done").length;
    return { text: `${done} of ${items.length} done.` };
  },
});
