import type { ExecuteOptions, Memory, OutputOf } from "../memory/index.ts";
import { asClaims, type CapturedBy } from "./as-claims.ts";
import type { Candidate } from "./candidate.ts";

export interface KeepingOptions extends CapturedBy {
  readonly candidates: readonly Candidate[];
  /** What the client calls the session, as the source that holds its words. */
  readonly source: string | undefined;
  /** Ids of what the model had before it. */
  readonly shown: readonly string[];
  /** Done twice under the same key it writes once. */
  readonly idempotencyKey?: string;
  readonly call?: Pick<ExecuteOptions, "session" | "surface" | "signal">;
}

type Kept = OutputOf<"keep_learned">["kept"][number];

export interface KeptCandidates {
  readonly kept: readonly Kept[];
  /** `change:7`; undefined where nothing was written. */
  readonly change: string | undefined;
}

/** Keeps what a person said or chose by the door of all that is learned, as one change. */
export async function keepCandidates(
  memory: Memory,
  { candidates, client, session, source, shown, idempotencyKey, call }: KeepingOptions,
): Promise<KeptCandidates> {
  if (candidates.length === 0) return { kept: [], change: undefined };
  let change: string | undefined;
  const { kept } = await memory.execute(
    "keep_learned",
    {
      claims: asClaims(candidates, { client, session }),
      shown: [...shown],
      ...(source !== undefined && { source: { kind: client, key: source } }),
      ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    },
    {
      ...call,
      onChange: (made) => {
        change = made;
      },
    },
  );
  return { kept, change };
}

type Effects = Pick<Kept, "content" | "replaced" | "disputed" | "replaced_by">;

/** What was kept, with what it replaces: `pnpm, not npm (replaces ep:2)`. */
export function keptText(kept: readonly Effects[]): string {
  const lines = kept.map((one) => {
    const effects = effectsOf(one);
    return effects.length === 0 ? one.content : `${one.content} (${effects.join("; ")})`;
  });
  return lines.join("; ");
}

/** One line for a person: what was kept by itself, and how it is taken back. */
export function learnedLine(text: string, change: string): string {
  return `◆ learned: ${text.replace(/[.\s]+$/, "")}. \`cairn undo ${change}\` takes it back.`;
}

/** Whether something that held does not hold any more, or is open, because of it. */
export const hasEffect = (kept: readonly Kept[]) => kept.some((one) => effectsOf(one).length > 0);

function effectsOf({ replaced, disputed, replaced_by: later }: Effects): string[] {
  return [
    ...(replaced.length > 0 ? [`replaces ${replaced.map(({ id }) => id).join(", ")}`] : []),
    ...disputed.map((one) => `disputes ${one.id} in ${one.conflict_id}`),
    ...(later === undefined ? [] : [`replaced since by ${later.id}`]),
  ];
}
