import type { ExecuteOptions } from "../context/execute-options.ts";
import type { Memory } from "../memory.ts";
import type { Told } from "./block.ts";
import { appliesTo, kindsOfRequest } from "./kinds-of-request.ts";
import { shownOf } from "./known-of-file.ts";

const READ = 100;
const MAX_ITEMS = 4;
const ALIKE = 0.45;

export interface StandingRequest {
  readonly prompt: string;
  /** True if the memory compares by meaning at once: then that is asked as well. */
  readonly hasVectors: boolean;
  readonly patienceMs: number;
  readonly pace?: ExecuteOptions["pace"];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Preferences that apply to the kind of work that is asked for, the newest first. They share no word
 * with most of the requests to which they apply: "use tabs" with "implement the parser".
 */
export async function standingFor(
  memory: Memory,
  { prompt, hasVectors, patienceMs, pace, signal }: StandingRequest,
): Promise<readonly Told[]> {
  const kinds = kindsOfRequest(prompt);
  if (kinds.size === 0) return [];
  const options = { ...(signal !== undefined && { signal }), pace };
  const { items } = await memory.execute(
    "items",
    { kinds: ["episode"], type: ["preference"], limit: READ },
    options,
  );
  const alike = hasVectors ? await alikeTo(memory, prompt, { patienceMs, options }) : new Set();
  return shownOf(
    items.filter(({ id, text }) => alike.has(id) || appliesTo(text, { prompt, kinds })),
  )
    .slice(0, MAX_ITEMS)
    .map((item) => ({ ...item, why: { how: "standing" } }));
}

async function alikeTo(
  memory: Memory,
  query: string,
  { patienceMs, options }: { patienceMs: number; options: Pick<ExecuteOptions, "signal" | "pace"> },
): Promise<ReadonlySet<string>> {
  const { episodes } = await memory.execute(
    "recall",
    {
      ...{ query, type: ["preference"], k: 0, episode_k: MAX_ITEMS },
      ...{ timeout_ms: patienceMs, explain: true },
    },
    options,
  );
  const near = episodes.filter(({ explain }) => (explain?.cosine ?? 0) >= ALIKE);
  return new Set(near.map(({ id }) => id));
}
