/** The four ways in which an episode bears on a concept. */
export const EVIDENCE = ["supports", "contradicts", "exemplifies", "qualifies"] as const;

export interface Draft {
  readonly title: string;
  readonly summary: string;
  readonly confidence: number;
  /** By episode: one of the four, empty for a mere source, `none` for no part of it. */
  readonly evidence: Readonly<Record<string, string>>;
}

export const EMPTY_DRAFT: Draft = { title: "", summary: "", confidence: 0.5, evidence: {} };

/** The concept, its evidence and the review of its episodes in cairn's own language. */
export function draftChangeset(episodes: readonly { readonly id: string }[], draft: Draft): string {
  const { title, summary, confidence, evidence } = draft;
  const sources = episodes.filter(({ id }) => evidence[id] !== "none").map(({ id }) => id);
  const bearing = sources.flatMap((id) => {
    const type = evidence[id];
    return type ? [`evidence concept=$it episode=${id} type=${type}`] : [];
  });
  const from = sources.length === 0 ? "" : ` from=${sources.join(",")}`;
  return [
    `concept title=${quoted(title)} confidence=${confidence}${from} as=it ${quoted(summary || title)}`,
    ...bearing,
    `processed ids=${episodes.map(({ id }) => id).join(",")}`,
  ].join("\n");
}

function quoted(text: string): string {
  const safe = text.trim().replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
  return `"${safe}"`;
}
