import { z } from "zod";
import { defineTool, type Tool } from "./define-tool.ts";

/** Offered in flows that can wait for a person. */
export function askUserTool(ask: (question: string) => Promise<string>): Tool {
  return defineTool({
    name: "ask_user",
    description:
      "Asks the user one question and waits for the answer. Ask one thing at a time, and only " +
      "what the project itself cannot tell.",
    readOnly: true,
    input: z.strictObject({ question: z.string().trim().min(1) }),
    async run(_context, { question }) {
      return { text: await ask(question) };
    },
  });
}
