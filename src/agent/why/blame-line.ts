import { gitOutput } from "../../ingest/sources/index.ts";

/** The commit that wrote a line. */
export interface Blamed {
  readonly hash: string;
  readonly author: string;
  /** ISO 8601. */
  readonly at: string;
  readonly subject: string;
}

export interface AskedLine {
  /** Relative to the folder. */
  readonly file: string;
  readonly line: number;
  /** What it says in the work tree. */
  readonly text: string;
}

/**
 * The commit that wrote a line, as git has it; undefined where it is not committed. The work tree is not
 * shown to git, which would run the repository's own filters over it.
 */
export async function blameLine(
  folder: string,
  asked: AskedLine,
  earlier: readonly string[] = [],
): Promise<Blamed | undefined> {
  const blob = async (name: string) =>
    (await gitOutput(folder, ["cat-file", "blob", `HEAD:./${name}`])).text;
  // It may have got its name since the last commit.
  const [newest = asked.file] = earlier;
  const own = await blob(asked.file);
  const file = own === undefined ? newest : asked.file;
  const committed = own ?? (await blob(newest));
  const line = nearestWith(asked, committed?.split(/\r?\n/) ?? []);
  if (line === undefined) return undefined;
  const { text } = await gitOutput(folder, [
    ...["blame", "--porcelain", "--no-textconv", "-w", "-M"],
    ...["-L", `${line},${line}`, "HEAD", "--", file],
  ]);
  if (text === undefined) return undefined;
  const hash = text.slice(0, text.indexOf(" "));
  const field = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1] ?? "";
  const at = new Date(Number(field("author-time")) * 1000).toISOString();
  return { hash, author: field("author"), at, subject: field("summary") };
}

/** Lines were added and taken away above it since: the nearest one that says the same. */
function nearestWith({ line, text }: AskedLine, committed: readonly string[]): number | undefined {
  const places = committed.flatMap((one, index) => (one.trim() === text.trim() ? [index + 1] : []));
  return places.sort((a, b) => Math.abs(a - line) - Math.abs(b - line))[0];
}
