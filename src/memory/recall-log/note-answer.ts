import type { Surface } from "../context/execute-options.ts";
import type { CallOptions } from "../memory.ts";
import type { RecallOutput } from "../recall/recall.schema.ts";
import type { LoggedItem } from "./logged-recall.ts";
import type { RecallLog } from "./recall-log.ts";
import { createRecallNotes } from "./recall-notes.ts";

export async function recordResult(
  log: RecallLog,
  {
    input,
    options,
  }: { readonly input: unknown; readonly options: CallOptions & { readonly surface: Surface } },
  ask: (options: CallOptions) => Promise<unknown>,
): Promise<unknown> {
  const { consume } = options;
  const seen: { found?: unknown; leftOut: readonly LoggedItem[] } = { leftOut: [] };
  const answer = await ask({
    ...options,
    onLeftOut: (items) => {
      seen.leftOut = items;
    },
    consume: (output) => {
      seen.found = output;
      return consume === undefined ? Promise.resolve(output) : consume(output);
    },
  });
  const found = seen.found as RecallOutput;
  log.note(createRecallNotes(input, options, { found, leftOut: seen.leftOut }));
  return answer;
}
