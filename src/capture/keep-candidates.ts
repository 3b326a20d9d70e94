import type { Memory } from "../memory/index.ts";
import { asClaims } from "./as-claims.ts";
import type { Candidate } from "./candidate.ts";

export interface KeepingOptions {
  readonly candidates: readonly Candidate[];
  /** The agent, which is the kind of the source as well. */
  readonly client: string;
  readonly threadId: string;
  /** Ids of what the model had before it. */
  readonly shown: readonly string[];
  readonly signal: AbortSignal;
}

export interface KeptCandidates {
  readonly memories: readonly { readonly id: string; readonly text: string }[];
  /** What was kept with what it replaces: `pnpm, not npm (replaces ep:2)`. */
  readonly text: string;
  /** `change:7`; undefined where nothing was written. */
  readonly change: string | undefined;
}

/** Keeps what a person said or chose by the door of all that is learned, as one change. */
export async function keepCandidates(
  memory: Memory,
  { candidates, client, threadId, shown, signal }: KeepingOptions,
): Promise<KeptCandidates> {
  let change: string | undefined;
  const { kept } = await memory.execute(
    "keep_learned",
    {
      claims: asClaims(candidates, { client, session: threadId }),
      shown: [...shown],
      source: { kind: client, key: threadId },
    },
    {
      ...{ session: threadId, surface: "agent", signal },
      onChange: (made) => {
        change = made;
      },
    },
  );
  const lines = kept.map(({ content, replaced, disputed }) => {
    const effects = [
      ...(replaced.length > 0 ? [`replaces ${replaced.map(({ id }) => id).join(", ")}`] : []),
      ...disputed.map((one) => `disputes ${one.id} in ${one.conflict_id}`),
    ];
    return effects.length === 0 ? content : `${content} (${effects.join("; ")})`;
  });
  const memories = kept.map(({ id, content: text }) => ({ id, text }));
  return { memories, text: lines.join("; "), change };
}
