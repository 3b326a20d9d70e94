import type { OutputOf } from "../../../memory/index.ts";

type Answer = OutputOf<"recall">;

/** An item of an answer, whichever its kind. */
export interface Recalled {
  readonly id: string;
  readonly type: string;
  readonly title: string | undefined;
  readonly text: string;
  readonly score: number;
  readonly at: string;
  readonly source: string | undefined;
  readonly openConflicts: readonly string[];
  readonly explain: Answer["episodes"][number]["explain"];
  /** True if it fits into what the model reads. */
  readonly isGiven: boolean;
}

/** Everything found, highest score first, those that the model gets before the cut ones. */
export function mergeAnswers(all: Answer, given: Answer | undefined): Recalled[] {
  const ids = new Set([...(given?.concepts ?? []), ...(given?.episodes ?? [])].map(({ id }) => id));
  const isGiven = (id: string) => given === undefined || ids.has(id);
  const disputed = new Map<string, string[]>();
  for (const { id, fact_a: a, fact_b: b } of all.open_conflicts) {
    for (const { episode_id: episode } of [a, b]) {
      disputed.set(episode, [...(disputed.get(episode) ?? []), id]);
    }
  }
  const concepts = all.concepts.map((one) => ({
    id: one.id,
    type: one.type,
    title: one.title,
    text: one.facts?.map(({ statement }) => statement).join(" · ") ?? one.summary,
    score: one.score,
    at: one.created_at,
    source: one.source === "direct" ? undefined : `${one.source} via ${one.via ?? "the graph"}`,
    openConflicts: one.open_conflicts ?? [],
    explain: one.explain,
    isGiven: isGiven(one.id),
  }));
  const episodes = all.episodes.map((one) => ({
    id: one.id,
    type: one.episode_type,
    title: undefined,
    text: one.content,
    score: one.score,
    at: one.occurred_at ?? one.created_at,
    source: undefined,
    openConflicts: disputed.get(one.id) ?? [],
    explain: one.explain,
    isGiven: isGiven(one.id),
  }));
  return [...concepts, ...episodes].sort(
    (a, b) => Number(b.isGiven) - Number(a.isGiven) || b.score - a.score,
  );
}
