import type { ExecuteOptions, Memory, OutputOf } from "../../memory/index.ts";
import { MISTAKE } from "../../memory/index.ts";
import type { Candidate } from "./candidate.ts";

export interface KeepingOptions extends CapturedBy {
  readonly candidates: readonly Candidate[];
  /** The client's name for the session, which identifies the source with its words. */
  readonly source: string | undefined;
  /** Ids of the items that the model had seen. */
  readonly shown: readonly string[];
  /** With the same key the call writes only once. */
  readonly idempotencyKey?: string;
  readonly call?: Pick<ExecuteOptions, "session" | "surface" | "signal">;
}

type Kept = OutputOf<"keep_learned">["kept"][number];

export interface StoredCandidates {
  readonly kept: readonly Kept[];
  /** The change, such as `change:7`; undefined if nothing was written. */
  readonly change: string | undefined;
}

export async function keepCandidates(
  memory: Memory,
  { candidates, client, session, source, shown, idempotencyKey, call }: KeepingOptions,
): Promise<StoredCandidates> {
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

/** Lists what was kept and what it replaces: `pnpm, not npm (replaces ep:2)`. */
export function storedText(kept: readonly Effects[]): string {
  const lines = kept.map((one) => {
    const effects = effectsOf(one);
    return effects.length === 0 ? one.content : `${one.content} (${effects.join("; ")})`;
  });
  return lines.join("; ");
}

export function learnedLine(text: string, change: string): string {
  return `◆ learned: ${text.replace(/[.\s]+$/, "")}. \`cairn undo ${change}\` takes it back.`;
}

/** True if something no longer holds or became open because of what was kept. */
export const hasEffect = (kept: readonly Kept[]) => kept.some((one) => effectsOf(one).length > 0);

function effectsOf({ replaced, disputed, replaced_by: later }: Effects): string[] {
  return [
    ...(replaced.length > 0 ? [`replaces ${replaced.map(({ id }) => id).join(", ")}`] : []),
    ...disputed.map((one) => `disputes ${one.id} in ${one.conflict_id}`),
    ...(later === undefined ? [] : [`replaced since by ${later.id}`]),
  ];
}

interface CapturedBy {
  readonly client: string;
  /** The name of the session in episodes. */
  readonly session: string;
}

/** Turns what was found in a session into claims for `keep_learned`. */
export function asClaims(candidates: readonly Candidate[], { client, session }: CapturedBy) {
  return candidates.map(({ mistake, doubt, ...candidate }) => ({
    content: candidate.content,
    episode_type: candidate.episodeType,
    ...(candidate.entities.length > 0 && { entities: [...candidate.entities] }),
    labels: [`captured=${client}`, ...(mistake === undefined ? [] : [`${MISTAKE}=${mistake.how}`])],
    ...(mistake !== undefined && { metadata: { mistake } }),
    source_type: "capture",
    asserted_by: candidate.assertedBy === "user" ? "user" : client,
    session,
    ...(candidate.quotation !== undefined && { quotation: candidate.quotation }),
    ...(candidate.corrects !== undefined && { corrects: candidate.corrects }),
    ...(candidate.rejects !== undefined && { rejects: [...candidate.rejects] }),
    ...(candidate.onlyReplaces === true && { only_if_replaces: true }),
    ...(doubt === undefined ? {} : { verdict: "propose" as const, reason: doubt }),
  }));
}
