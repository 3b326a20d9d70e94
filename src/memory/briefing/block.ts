import { quoteForModel } from "../presentation/quote-for-model.ts";
import type { ContributionKind, Explanation } from "../recall/recall.schema.ts";

export interface ContextItem {
  readonly id: string;
  readonly text: string;
  readonly by?: string | null | undefined;
  readonly at?: string | undefined;
  /** Set if the statement is disputed or replaced: `disputed in conflict:1`, `replaced by …`. */
  readonly standing?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly why?: RecallReason | undefined;
}

const DISPUTED = "disputed in ";

export const describeDispute = (conflict: string): string => `${DISPUTED}${conflict}`;

export const isDispute = (standing: string | undefined): boolean =>
  standing?.startsWith(DISPUTED) === true;

export interface RecallReason {
  readonly how: "question" | "passage" | "standing" | "tool" | "cure" | "file";
  /** Activation, 0..1; undefined for unranked items. */
  readonly score?: number;
  /** The largest score contributions, in descending order. */
  readonly parts?: readonly { readonly kind: ContributionKind; readonly amount: number }[];
}

const MAX_PARTS = 3;

export function formatRecallReason(
  how: RecallReason["how"],
  { score, explain }: { readonly score: number; readonly explain?: Explanation | undefined },
): RecallReason {
  const amounts = new Map<ContributionKind, number>();
  for (const { kind, amount } of explain?.contributions ?? []) {
    amounts.set(kind, (amounts.get(kind) ?? 0) + amount);
  }
  const parts = Array.from(amounts, ([kind, amount]) => ({ kind, amount: roundScore(amount) }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount)
    .slice(0, MAX_PARTS);
  return { how, score: roundScore(score), ...(parts.length > 0 && { parts }) };
}

const roundScore = (amount: number): number => Math.round(amount * 1_000) / 1_000;

const MAX_FILES = 3;

/** `- “text” (ep:4, Ada, 2026-03-04, disputed in conflict:1)` */
export function formatItemLine({ id, text, by, at, standing, files = [] }: ContextItem): string {
  const about = [
    id,
    ...(by == null || by === "" ? [] : [quoteName(by)]),
    ...(at === undefined ? [] : [at.slice(0, 10)]),
    ...files.slice(0, MAX_FILES).map(quoteName),
    ...(standing === undefined ? [] : [standing]),
  ];
  return `- ${quoteForModel(text)} (${about.join(", ")})`;
}

/** Names are untrusted text, like the content. */
function quoteName(name: string): string {
  return quoteForModel(name).slice(1, -1).replaceAll(/[()]/g, " ").slice(0, 80);
}

/** Matches the ids of the items in a context block. */
export const CONTEXT_ITEM_ID = /\(((?:[a-z]+:\d+|c[0-9a-z]+))(?=[,)])[^()\n]*\)$/gm;
