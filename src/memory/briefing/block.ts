import { quoteForModel } from "../presentation/quote-for-model.ts";

/** One thing of memory as a model is told it. */
export interface Told {
  readonly id: string;
  /** What it says, unquoted. */
  readonly text: string;
  /** Who said it; null where nobody is named. */
  readonly by?: string | null | undefined;
  /** Timestamp. */
  readonly at?: string | undefined;
  /** Whether it holds, where that is in doubt: `disputed in conflict:1`, `replaced by …`. */
  readonly standing?: string | undefined;
  /** Files that it is about. */
  readonly files?: readonly string[] | undefined;
}

const MOST_FILES = 3;

/** `- “text” (ep:4, Ada, 2026-03-04, disputed in conflict:1)` */
export function toldLine({ id, text, by, at, standing, files = [] }: Told): string {
  const about = [
    id,
    ...(by == null || by === "" ? [] : [nameOf(by)]),
    ...(at === undefined ? [] : [at.slice(0, 10)]),
    ...files.slice(0, MOST_FILES).map(nameOf),
    ...(standing === undefined ? [] : [standing]),
  ];
  return `- ${quoteForModel(text)} (${about.join(", ")})`;
}

/** A name is stored text too. */
function nameOf(name: string): string {
  return quoteForModel(name).slice(1, -1).replaceAll(/[()]/g, " ").slice(0, 80);
}

/** The ids of the things that a block tells, as its lines have them. */
export const TOLD_ID = /\(((?:[a-z]+:\d+|c[0-9a-z]+))(?=[,)])[^()\n]*\)$/gm;
