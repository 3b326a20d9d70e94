import { spawn } from "node:child_process";
import { once } from "node:events";
import { invalidInput } from "../../kernel/errors.ts";
import type { ReadPassage, SourceBatch } from "../source-batch.ts";
import { isWorthReading, reverted } from "./commit-text.ts";

/** Commits of one batch. */
const AT_ONCE = 500;
/** Of a history of which nothing is kept, so many of the newest commits are read. */
const MOST_COMMITS = 50_000;
const MOST_FILES = 20;
const BODY_CHARACTERS = 4_000;
const RECORD = "\u001e";
const FIELD = "\u001f";

export interface HistoryPlace {
  /** A folder in a git work tree. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The commits of the current branch that the mark, a commit, does not hold, the oldest first:
 * message, files, author, time. What bots and merges say is passed over; a commit that takes an
 * earlier one back says so. Throws invalid_input where there is no git history.
 */
export async function* readHistory(
  { folder, signal }: HistoryPlace,
  mark: string | undefined,
): AsyncGenerator<SourceBatch> {
  const name = await sourceOfHistory(folder);
  const head = await firstLine(folder, ["rev-parse", "--verify", "HEAD"]);
  if (head === mark) return;
  // A mark that a rewritten history no longer has would make git fail: then all is read again.
  const isKnown =
    mark !== undefined &&
    (await firstLine(folder, ["merge-base", "--is-ancestor", mark, "HEAD"]).then(
      () => true,
      () => false,
    ));
  const range = isKnown ? [`${mark}..HEAD`] : ["HEAD"];
  const branch = await firstLine(folder, ["rev-parse", "--abbrev-ref", "HEAD"]);
  let passages: ReadPassage[] = [];
  for await (const commit of commits(folder, range, signal)) {
    const passage = passageOf(commit, branch);
    if (passage !== undefined) passages.push(passage);
    if (passages.length < AT_ONCE) continue;
    yield { ...name, passages };
    passages = [];
  }
  yield { ...name, mark: head, passages };
}

/** A clone elsewhere has the same first commit, and so the same name. */
export async function sourceOfHistory(folder: string) {
  const first = await firstLine(folder, ["rev-list", "--max-parents=0", "HEAD"]);
  const place = await firstLine(folder, ["rev-parse", "--show-toplevel"]);
  return { kind: "git", key: first, title: place.split(/[\\/]/).at(-1) ?? first, place } as const;
}

interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly email: string;
  readonly at: string;
  readonly tags: string;
  readonly subject: string;
  readonly body: string;
  readonly files: readonly string[];
}

/** As git prints them, one after the other, so that a long history needs no more memory. */
async function* commits(
  folder: string,
  range: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Commit> {
  const format = `${RECORD}${["%H", "%an", "%ae", "%cI", "%D", "%s", "%b"].join(FIELD)}${FIELD}`;
  const git = gitProcess(folder, [
    "log",
    "--no-merges",
    "--reverse",
    `--max-count=${MOST_COMMITS}`,
    "--name-only",
    "--find-renames",
    "--no-ext-diff",
    "--no-textconv",
    `--format=${format}`,
    ...range,
    "--",
  ]);
  const stop = () => git.kill();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    let rest = "";
    git.stdout.setEncoding("utf8");
    for await (const chunk of git.stdout) {
      const records = `${rest}${String(chunk)}`.split(RECORD);
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
  const [hash, author, email, at, tags, subject, body, list] = record.split(FIELD);
  if (hash === undefined || subject === undefined || list === undefined) return;
  const files = list.split("\n").filter((line) => line !== "");
  yield {
    ...{ hash, subject, files },
    author: author ?? "",
    email: email ?? "",
    at: at ?? "",
    tags: tags ?? "",
    body: body ?? "",
  };
}

function passageOf(commit: Commit, branch: string): ReadPassage | undefined {
  if (!isWorthReading(commit)) return undefined;
  const { hash, subject, body, author, files } = commit;
  const tags = commit.tags
    .split(", ")
    .flatMap((ref) => (ref.startsWith("tag: ") ? [ref.slice("tag: ".length)] : []));
  const about = body.trim().slice(0, BODY_CHARACTERS);
  const reverts = reverted(commit);
  return {
    key: hash,
    role: "commit",
    by: author.trim() === "" ? "somebody" : author.trim().slice(0, 200),
    text: [subject, about, tags.length === 0 ? "" : `Tagged ${tags.join(", ")}.`]
      .filter((part) => part !== "")
      .join("\n\n"),
    files: files.slice(0, MOST_FILES),
    ...(branch !== "HEAD" && { branch }),
    ...(reverts !== undefined && { reverts }),
    occurred_at: new Date(commit.at).toISOString(),
  };
}

async function firstLine(folder: string, args: readonly string[]): Promise<string> {
  const git = gitProcess(folder, args);
  let printed = "";
  let told = "";
  git.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  git.stderr.setEncoding("utf8").on("data", (text: string) => {
    told += text;
  });
  const [code] = (await once(git, "close")) as [number | null];
  if (code !== 0) {
    throw invalidInput(
      `file: there is no git history in ${folder} (${told.trim().split("\n")[0] || "git failed"})`,
    );
  }
  return printed.trim().split("\n").at(-1) ?? "";
}

/** What the repository's own config could run, a pager, a monitor, a hook, is switched off. */
function gitProcess(folder: string, args: readonly string[]) {
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-pager"];
  const git = spawn("git", [...safe, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  git.on("error", (error) => git.stdout.destroy(error));
  return git;
}
