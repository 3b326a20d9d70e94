import type { ModelMessage } from "../../llm/index.ts";
import { textOf } from "./tool-messages.ts";

/** Files that were mentioned and memories, which follow what a person typed as data. */
const APPENDED = /\n\n<(file|folder|image|resource|memory) [^\n]*>\n[\s\S]*<\/\1>\s*$/;

/** What a person typed, without what was added to it for the model. */
export function saidText(message: ModelMessage): string {
  let text = textOf(message);
  for (let match = APPENDED.exec(text); match !== null; match = APPENDED.exec(text)) {
    text = text.slice(0, match.index);
  }
  return text;
}
