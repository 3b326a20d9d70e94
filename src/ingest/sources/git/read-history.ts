import type { ReadPassage, SourceBatch } from "../source-batch.ts";
import { isWorthReading, reverted, revertedSubject } from "./commit-text.ts";
import { type Commit, commits } from "./commits.ts";
import { Renames } from "./follow-renames.ts";
import { lastLine } from "./git-process.ts";
import { parseHistoryMark, writeHistoryMark } from "./history-mark.ts";
import { replacedCommits } from "./replaced-commits.ts";

/** The most replaced commits of a rewritten branch; with more it counts as another history. */
const MOST_GONE = 500;
/** Number of commits in a batch. */
const AT_ONCE = 500;
/** Of a longer history only the newest commits are read. */
const MOST_COMMITS = 200_000;
const MOST_FILES = 20;
const BODY_CHARACTERS = 4_000;

export interface HistoryPlace {
  /** A folder in a git work tree. */
  readonly folder: string;
  /**
   * Reads only so many of the newest commits. Used if nobody asked for the history; a person who asks gets
   * all.
   */
  readonly most?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields the commits of the current branch after the mark, oldest first, and those that replaced earlier
 * ones: message, files, author, time, tags. Bots and merges are skipped; a commit that takes an earlier one
 * back says so; files have their current names, followed by former ones. Throws invalid_input if there is no
 * git history.
 */
export async function* readHistory(
  { folder, most, signal }: HistoryPlace,
  mark: string | undefined,
): AsyncGenerator<SourceBatch> {
  const name = await sourceOfHistory(folder);
  const head = await lastLine(folder, ["rev-parse", "--verify", "HEAD"]);
  const known = parseHistoryMark(mark);
  // A person who asks for all commits also gets those that were left out before.
  const from = known?.isPart === true && most === undefined ? undefined : known;
  if (from?.commit === head) return;
  const base = from && (await commonAncestor(folder, from.commit));
  const isKnown = from !== undefined && base !== undefined;
  const range = isKnown ? `${base}..HEAD` : "HEAD";
  const branch = await lastLine(folder, ["rev-parse", "--abbrev-ref", "HEAD"]);
  const limit = most ?? MOST_COMMITS;
  const { passages, count, read } = await readRange({ folder, range, most: limit, signal }, branch);
  // If the branch was rewritten or is another one, its commits may appear here again.
  const left = isKnown && base !== from.commit ? `HEAD..${from.commit}` : undefined;
  const before = left && (await commitsIn({ folder, range: left, most: limit, signal }));
  const gone = before && replacedCommits(before, read).slice(0, MOST_GONE);
  const isPart = most !== undefined && (count >= most || (isKnown && from.isPart));
  for (let start = 0; start + AT_ONCE < passages.length; start += AT_ONCE) {
    const slice = passages.slice(start, start + AT_ONCE);
    yield { ...name, passages: slice, ...(gone && { gone: [] }) };
  }
  const rest = Math.max(0, Math.ceil(passages.length / AT_ONCE) - 1) * AT_ONCE;
  const next = writeHistoryMark({ commit: head, isPart });
  yield { ...name, mark: next, passages: passages.slice(rest), ...(gone && { gone }) };
}

/** Clones share their first commit and therefore this name. */
export async function sourceOfHistory(folder: string) {
  const first = await lastLine(folder, ["rev-list", "--max-parents=0", "HEAD"]);
  const place = await lastLine(folder, ["rev-parse", "--show-toplevel"]);
  return { kind: "git", key: first, title: place.split(/[\\/]/).at(-1) ?? first, place } as const;
}

/**
 * Undefined if git no longer has the mark's commit or it belongs to another history; then everything is read
 * again.
 */
function commonAncestor(folder: string, commit: string): Promise<string | undefined> {
  return lastLine(folder, ["merge-base", commit, "HEAD"]).catch(() => undefined);
}

async function commitsIn(range: Parameters<typeof commits>[0]): Promise<Commit[]> {
  const found: Commit[] = [];
  for await (const commit of commits(range)) found.push(commit);
  return found;
}

interface ReadRange {
  readonly passages: readonly ReadPassage[];
  /** The commits that the passages come from. */
  readonly read: readonly Commit[];
  /** Number of commits, including skipped ones. */
  readonly count: number;
}

async function readRange(range: Parameters<typeof commits>[0], branch: string): Promise<ReadRange> {
  const renames = new Renames();
  const read: { readonly commit: Commit; readonly files: readonly string[] }[] = [];
  let count = 0;
  for await (const commit of commits(range)) {
    count += 1;
    const files = renames.filesOf(commit.changes).slice(0, MOST_FILES);
    if (isWorthReading(commit)) read.push({ commit, files });
  }
  /** The last commit so far with each subject. */
  const bySubject = new Map<string, string>();
  const passages = read.reverse().map(({ commit, files }) => {
    const takesBack = reverted(commit) ?? bySubject.get(revertedSubject(commit) ?? "");
    bySubject.set(commit.subject, commit.hash);
    return passageOf(commit, { branch, files, takesBack });
  });
  return { passages, count, read: read.map(({ commit }) => commit) };
}

interface About {
  readonly branch: string;
  readonly files: readonly string[];
  /** The commit that this one takes back. */
  readonly takesBack: string | undefined;
}

function passageOf(commit: Commit, { branch, files, takesBack }: About): ReadPassage {
  const { hash, subject, body, author, tags } = commit;
  const about = body.trim().slice(0, BODY_CHARACTERS);
  return {
    key: hash,
    role: "commit",
    by: author.trim() === "" ? "somebody" : author.trim().slice(0, 200),
    text: [subject, about, tags.length === 0 ? "" : `Tagged ${tags.join(", ")}.`]
      .filter((part) => part !== "")
      .join("\n\n"),
    files: [...files],
    ...(branch !== "HEAD" && { branch }),
    ...(takesBack !== undefined && { reverts: takesBack }),
    occurred_at: new Date(commit.at).toISOString(),
  };
}
