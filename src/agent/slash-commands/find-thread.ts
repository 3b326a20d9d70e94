import { CairnError, invalidInput } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { ThreadInfo } from "../ports/thread-host.ts";

/** Number of ids that are compared with a mistyped one. */
const MAX_COMPARED = 20;

/** By id or unique prefix. Throws not_found, invalid_input. */
export function findThread(threads: readonly ThreadInfo[], requested: string): ThreadInfo {
  const exact = threads.find(({ threadId }) => threadId === requested);
  if (exact !== undefined) return exact;
  const starting = threads.filter(({ threadId }) => threadId.startsWith(requested));
  if (starting.length > 1) {
    throw invalidInput(`Several threads start with "${requested}": enter more of the id.`);
  }
  const [only] = starting;
  if (only !== undefined) return only;
  const ids = threads.slice(0, MAX_COMPARED).map(({ threadId }) => threadId);
  throw new CairnError("not_found", `No thread "${requested}".${didYouMean(requested, ids)}`);
}
