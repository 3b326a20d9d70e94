import { prepareRecall, recall } from "../../recall/index.ts";
import { defineScope } from "../define-scope.ts";

/** Concepts that the section holds. */
const CONCEPTS = 10;

export const query = defineScope({
  name: "query",
  summary: "Concepts found for a text",
  argument: { name: "text", form: "<text>", runsOnUntil: "comma" },
  prepare: (context, text) => prepareRecall(context, asked(text)),
  async read(context, text, prepared) {
    const { concepts } = await recall(context, asked(text), prepared);
    return { query: text, concepts };
  },
});

function asked(text: string) {
  return { query: text, k: CONCEPTS, episode_k: 0 };
}
