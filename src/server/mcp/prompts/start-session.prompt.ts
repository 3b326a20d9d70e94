import type { McpPrompt } from "./prompt.ts";

export const startSession: McpPrompt = {
  name: "start_session",
  title: "Start a session",
  description: "Read what memory knows before the work begins",
  arguments: [
    {
      name: "task",
      description: "What the session is about",
      required: false,
      suggests: "topic,entity",
    },
  ],
  text: ({ task }) => `Before we begin, look into memory.

1. Call \`snapshot\` with the scopes \`bootstrap conflicts recent:10\`.
${
  task === undefined
    ? "2. Ask me what this session is about, then call `recall` with it."
    : `2. Call \`recall\` with: ${JSON.stringify(task)}. If it names files, people or tools, recall each of them with \`entity\` too.`
}
3. Tell me in at most ten lines what bears on the work: decisions and their reasons, preferences, what failed before, what is contested. Give the id of each (ep:…, fact:…).
4. Name what memory does not know and you need to know.

Do not write anything to memory yet.`,
};
