import { basename, dirname } from "node:path";
import { toTimestamp } from "../../../shared/clock.ts";
import { groupBy } from "../../../shared/collections.ts";
import { shorten } from "../../../shared/text.ts";
import { tryToTimestamp } from "../../../shared/time.ts";
import type { ReadPassage, SourceBatch } from "../store-source.ts";
import { gitProcess, lastGitLine } from "./git-process.ts";

interface FileChange {
  readonly status: string;
  readonly path: string;
  /** Former path of a renamed file. */
  readonly from?: string | undefined;
}

function parseFileChange(line: string): FileChange | undefined {
  const [status, first, second] = line.split("\t");
  if (status === undefined || status === "" || first === undefined) return undefined;
  return second === undefined ? { status, path: first } : { status, path: second, from: first };
}

class Renames {
  readonly #present = new Map<string, string>();

  filesOf(changes: readonly FileChange[]): string[] {
    const now = changes.map(({ path }) => this.#present.get(path) ?? path);
    const touched = changes.flatMap(({ path, from }) =>
      from === undefined ? [path] : [path, from],
    );
    for (const [index, { status, path, from }] of changes.entries()) {
      // Before this commit, the path did not exist or belonged to another file.
      if (status.startsWith("A") || from !== undefined) this.#present.delete(path);
      if (from !== undefined) this.#present.set(from, now[index] ?? path);
    }
    return [...new Set([...now, ...touched])];
  }
}

const RECORD_SEPARATOR = "\u001e";
const FIELD_SEPARATOR = "\u001f";

interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly email: string;
  readonly at: string;
  readonly authored: string;
  readonly tags: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly changes: readonly FileChange[];
}

interface CommitRange {
  readonly folder: string;
  readonly range: string;
  readonly maxCommits: number;
  readonly signal: AbortSignal | undefined;
}

async function* commits({
  folder,
  range,
  maxCommits,
  signal,
}: CommitRange): AsyncGenerator<Commit> {
  const format = `${RECORD_SEPARATOR}${["%H", "%an", "%ae", "%cI", "%aI", "%D", "%s", "%b"].join(FIELD_SEPARATOR)}${FIELD_SEPARATOR}`;
  const git = gitProcess(folder, [
    "log",
    "--no-merges",
    "--topo-order",
    `--max-count=${maxCommits}`,
    "--name-status",
    "--find-renames",
    "--no-ext-diff",
    "--no-textconv",
    `--format=${format}`,
    range,
    "--",
  ]);
  const stop = () => git.kill();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    let rest = "";
    git.stdout.setEncoding("utf8");
    for await (const chunk of git.stdout) {
      const records = `${rest}${String(chunk)}`.split(RECORD_SEPARATOR);
      rest = records.pop() ?? "";
      for (const record of records) yield* parseCommit(record);
    }
    signal?.throwIfAborted();
    yield* parseCommit(rest);
  } finally {
    signal?.removeEventListener("abort", stop);
    git.kill();
  }
}

function* parseCommit(record: string): Generator<Commit> {
  const [hash, author, email, at, authored, refs, subject, body, list] =
    record.split(FIELD_SEPARATOR);
  if (hash === undefined || subject === undefined || list === undefined) return;
  yield {
    ...{ hash, subject, author: author ?? "", email: email ?? "", body: body ?? "" },
    ...{ at: at ?? "", authored: authored ?? "" },
    changes: list.split("\n").flatMap((line) => parseFileChange(line) ?? []),
    tags: (refs ?? "")
      .split(", ")
      .flatMap((ref) => (ref.startsWith("tag: ") ? [ref.slice("tag: ".length)] : [])),
  };
}

type CommitIdentity = Pick<Commit, "hash" | "email" | "authored" | "subject">;

/**
 * Finds commits replaced by an amend, rebase or cherry-pick, which preserve author and author time.
 * If several share both, the subject decides; a single remaining pair is a match.
 */
function findReplacedCommits(
  before: readonly CommitIdentity[],
  now: readonly CommitIdentity[],
): string[] {
  const rewritten = groupBy(now, identityKey);
  return [...groupBy(before, identityKey)].flatMap(([written, old]) => {
    const others = rewritten.get(written) ?? [];
    const [same, different] = indexBySubject(old, others);
    const [, unmatched] = indexBySubject(others, old);
    const isOne = different.length === 1 && unmatched.length === 1;
    return [...same, ...(isOne ? different : [])].map(({ hash }) => hash);
  });
}

const identityKey = ({ email, authored }: CommitIdentity) => `${email} ${authored}`;

/** Splits commits by whether one of the others has the same subject. */
function indexBySubject(commits: readonly CommitIdentity[], others: readonly CommitIdentity[]) {
  const subjects = new Set(others.map(({ subject }) => subject));
  const isAmong = ({ subject }: CommitIdentity) => subjects.has(subject);
  return [commits.filter(isAmong), commits.filter((one) => !isAmong(one))] as const;
}

const BOT_AUTHOR =
  /\[bot\]|\b(?:dependabot|renovate|greenkeeper|github-actions|semantic-release|pre-commit-ci)\b/i;
/** Uninformative commit messages. */
const UNINFORMATIVE_MESSAGE =
  /^(?:wip|fixup!.*|squash!.*|amend!.*|\.+|-+|tmp|temp|bump(?: version)?(?: to)? v?[\d.]+|v?\d+\.\d+\.\d+|merge (?:branch|pull request|remote-tracking).*)$/i;

interface CommitMessage {
  readonly author: string;
  readonly email: string;
  readonly subject: string;
  readonly body: string;
}

function isWorthReading({ author, email, subject, body }: CommitMessage): boolean {
  if (BOT_AUTHOR.test(author) || BOT_AUTHOR.test(email)) return false;
  return (
    subject.trim() !== "" && (body.trim() !== "" || !UNINFORMATIVE_MESSAGE.test(subject.trim()))
  );
}

/** Commit id in the message of `git revert`. */
function findRevertedCommit({ body }: Pick<CommitMessage, "body">): string | undefined {
  return /\bThis reverts commit ([0-9a-f]{40})\b/.exec(body)?.[1];
}

function parseRevertedSubject({ subject }: Pick<CommitMessage, "subject">): string | undefined {
  return /^Revert "(.+)"(?: \(#\d+\))?$/.exec(subject)?.[1];
}

interface HistoryMark {
  readonly commit: string;
  /** True if the limit excluded earlier commits. */
  readonly isPart: boolean;
}

const PART = " newest";

function parseHistoryMark(cursor: string | undefined): HistoryMark | undefined {
  if (cursor === undefined) return undefined;
  const isPart = cursor.endsWith(PART);
  return { commit: isPart ? cursor.slice(0, -PART.length) : cursor, isPart };
}

function writeHistoryMark({ commit, isPart }: HistoryMark): string {
  return isPart ? `${commit}${PART}` : commit;
}

/** Above this number of replaced commits, the branch counts as another history. */
const MAX_REPLACED_COMMITS = 500;
const BATCH_SIZE = 500;
const MAX_COMMITS = 200_000;
const MAX_FILES = 20;
const BODY_CHARACTERS = 4_000;

export interface HistoryLocation {
  readonly folder: string;
  readonly maxCommits?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields the current branch's commits after the cursor, oldest first, and the commits they
 * replaced. Skips bots and merges. Files have their current names, followed by former ones. Throws
 * invalid_input without git history.
 */
export async function* readHistory(
  { folder, maxCommits, signal }: HistoryLocation,
  cursor: string | undefined,
): AsyncGenerator<SourceBatch> {
  const name = await historySource(folder);
  const head = await lastGitLine(folder, ["rev-parse", "--verify", "HEAD"]);
  const known = parseHistoryMark(cursor);
  const from = known?.isPart === true && maxCommits === undefined ? undefined : known;
  if (from?.commit === head) return;
  const base = from && (await findCommonAncestor(folder, from.commit));
  const isKnown = from !== undefined && base !== undefined;
  const range = isKnown ? `${base}..HEAD` : "HEAD";
  const branch = await lastGitLine(folder, ["rev-parse", "--abbrev-ref", "HEAD"]);
  const limit = maxCommits ?? MAX_COMMITS;
  const { passages, count, read } = await readRange(
    { folder, range, maxCommits: limit, signal },
    branch,
  );
  // After a rewrite or branch switch, known commits may reappear.
  const abandonedRange = isKnown && base !== from.commit ? `HEAD..${from.commit}` : undefined;
  const before =
    abandonedRange &&
    (await listCommits({ folder, range: abandonedRange, maxCommits: limit, signal }));
  const replaced = before && findReplacedCommits(before, read).slice(0, MAX_REPLACED_COMMITS);
  const isPart = maxCommits !== undefined && (count >= maxCommits || (isKnown && from.isPart));
  for (let start = 0; start + BATCH_SIZE < passages.length; start += BATCH_SIZE) {
    const slice = passages.slice(start, start + BATCH_SIZE);
    yield { ...name, passages: slice, ...(replaced && { gone: [] }) };
  }
  const rest = Math.max(0, Math.ceil(passages.length / BATCH_SIZE) - 1) * BATCH_SIZE;
  const next = writeHistoryMark({ commit: head, isPart });
  yield {
    ...name,
    mark: next,
    passages: passages.slice(rest),
    ...(replaced && { gone: replaced }),
  };
}

export async function historySource(folder: string) {
  const first = await lastGitLine(folder, ["rev-list", "--max-parents=0", "HEAD"]);
  const repositoryPath = await findRepositoryPath(folder);
  return {
    kind: "git",
    key: first,
    title: repositoryPath.split(/[\\/]/).at(-1) ?? first,
    place: repositoryPath,
  } as const;
}

/** Returns the work tree; for a bare repository its folder, or the parent of a hidden one. */
async function findRepositoryPath(folder: string): Promise<string> {
  const isBare = (await lastGitLine(folder, ["rev-parse", "--is-bare-repository"])) === "true";
  if (!isBare) return lastGitLine(folder, ["rev-parse", "--show-toplevel"]);
  const repository = await lastGitLine(folder, ["rev-parse", "--absolute-git-dir"]);
  return basename(repository).startsWith(".") ? dirname(repository) : repository;
}

/** Undefined if the cursor's commit is missing or unrelated; everything is then read again. */
function findCommonAncestor(folder: string, commit: string): Promise<string | undefined> {
  return lastGitLine(folder, ["merge-base", commit, "HEAD"]).catch(() => undefined);
}

async function listCommits(range: Parameters<typeof commits>[0]): Promise<Commit[]> {
  const found: Commit[] = [];
  for await (const commit of commits(range)) found.push(commit);
  return found;
}

interface ReadRange {
  readonly passages: readonly ReadPassage[];
  readonly read: readonly Commit[];
  readonly count: number;
}

async function readRange(range: Parameters<typeof commits>[0], branch: string): Promise<ReadRange> {
  const renames = new Renames();
  const read: { readonly commit: Commit; readonly files: readonly string[] }[] = [];
  let count = 0;
  for await (const commit of commits(range)) {
    count += 1;
    const files = renames.filesOf(commit.changes).slice(0, MAX_FILES);
    if (isWorthReading(commit)) read.push({ commit, files });
  }
  /** Last commit so far by subject. */
  const bySubject = new Map<string, string>();
  const passages = read.reverse().map(({ commit, files }) => {
    const takesBack =
      findRevertedCommit(commit) ?? bySubject.get(parseRevertedSubject(commit) ?? "");
    bySubject.set(commit.subject, commit.hash);
    return createPassage(commit, { branch, files, takesBack });
  });
  return { passages, count, read: read.map(({ commit }) => commit) };
}

interface CommitDetails {
  readonly branch: string;
  readonly files: readonly string[];
  readonly takesBack: string | undefined;
}

function createPassage(commit: Commit, { branch, files, takesBack }: CommitDetails): ReadPassage {
  const { hash, body, author, tags } = commit;
  const subject = shorten(commit.subject, BODY_CHARACTERS);
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
    occurred_at: toGitTimestamp(new Date(commit.at)),
  };
}

/** Returns the epoch for a time that a timestamp cannot express, as Git itself prints it. */
export function toGitTimestamp(date: Date): string {
  return tryToTimestamp(date) ?? toTimestamp(new Date(0));
}
