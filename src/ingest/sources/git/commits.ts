import { type FileChange, parseFileChange } from "./follow-renames.ts";
import { gitProcess } from "./git-process.ts";

const RECORD = "\u001e";
const FIELD = "\u001f";

export interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly email: string;
  readonly at: string;
  /** When the commit was first written. Amending and rebasing keep this time. */
  readonly authored: string;
  readonly tags: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly changes: readonly FileChange[];
}

export interface CommitRange {
  readonly folder: string;
  readonly range: string;
  readonly most: number;
  readonly signal: AbortSignal | undefined;
}

/** Commits without merges, newest first, parsed from git's output. */
export async function* commits({
  folder,
  range,
  most,
  signal,
}: CommitRange): AsyncGenerator<Commit> {
  const format = `${RECORD}${["%H", "%an", "%ae", "%cI", "%aI", "%D", "%s", "%b"].join(FIELD)}${FIELD}`;
  const git = gitProcess(folder, [
    "log",
    "--no-merges",
    "--topo-order",
    `--max-count=${most}`,
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
  const [hash, author, email, at, authored, refs, subject, body, list] = record.split(FIELD);
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
