import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { gitOutput, toGitTimestamp } from "../../ingest/sources/index.ts";
import type { Memory, OutputOf } from "../../memory/index.ts";
import { invalidInput, messageOf } from "../../shared/errors.ts";
import { shortenLine, stripControl } from "../../shared/text.ts";
import type { LineWriters } from "../ports/checkpoint.ts";

const MAX_NAMES = 5;

/**
 * Earlier names of a file, newest first: a staged rename, then those of the history. Neither reads
 * the work tree, where the repository's filters would run.
 */
async function findEarlierNames(folder: string, file: string): Promise<readonly string[]> {
  const diffOptions = ["--relative", "--no-ext-diff", "--no-textconv", "-M", "--name-status", "-z"];
  const staged = await gitOutput(folder, ["diff-index", "--cached", ...diffOptions, "HEAD"]);
  const [before] = parseRenames(staged.text).filter(({ to }) => to === file);
  const committed = before?.from ?? file;
  const history = await gitOutput(folder, [
    ...["log", "--follow", "--format=", "--diff-filter=R", ...diffOptions, "--", committed],
  ]);
  const names = before === undefined ? [] : [before.from];
  let current = committed;
  for (const { from, to } of parseRenames(history.text)) {
    if (to !== current) continue;
    current = from;
    names.push(from);
  }
  return [...new Set(names)].filter((name) => name !== file).slice(0, MAX_NAMES);
}

/** `R<similarity> NUL from NUL to NUL`; other changes have one name. */
function parseRenames(text = ""): readonly { readonly from: string; readonly to: string }[] {
  const words = text.split("\0").map((word) => word.replace(/^\n+/, ""));
  const renames: { from: string; to: string }[] = [];
  for (let at = 0; at < words.length; ) {
    const isPair = /^[RC]\d*$/.test(words[at] ?? "");
    const [, from, to] = words.slice(at, at + 3);
    if (isPair && from !== undefined && to !== undefined) renames.push({ from, to });
    at += isPair ? 3 : 2;
  }
  return renames;
}

type Passage = OutputOf<"file_passages">["passages"][number];
type Item = OutputOf<"items">["items"][number];

export interface Why {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly earlier: readonly string[];
  /** Absent if it is not committed. */
  readonly commit?: BlameResult;
  readonly turn?: { readonly session: string; readonly at: string; readonly prompt: string };
  readonly decided: readonly Pick<Item, "id" | "type" | "text" | "at">[];
  readonly passages: readonly Pick<Passage, "id" | "kind" | "by" | "text" | "occurred_at">[];
}

export interface WhyContext {
  readonly projectRoot: string;
  readonly memory: Memory | undefined;
  readonly checkpoints: LineWriters;
}

const MAX_DECISIONS = 5;
const CANDIDATES_PER_RESULT = 4;
const MAX_PASSAGES = 3;

/** `src/pay.ts:12`. Throws invalid_input. */
export function parseLine(written: string): { readonly file: string; readonly line: number } {
  const match = /^(.+?):(\d+)(?::\d+)?$/.exec(written.trim());
  const [, file = "", number = "0"] = match ?? [];
  const line = Number(number);
  if (match === null || line < 1) throw invalidInput(`Name a line, such as src/pay.ts:12.`);
  return { file, line };
}

/** Session, prompt, decision, passage and commit behind a line. Throws invalid_input. */
export async function explainLine(location: WhyContext, written: string): Promise<Why> {
  const { projectRoot, memory, checkpoints } = location;
  const range = parseLine(written);
  const root = await realpath(projectRoot);
  const absolute = await realpath(resolve(root, range.file)).catch((error: unknown) => {
    throw invalidInput(`${range.file} cannot be read: ${messageOf(error)}`);
  });
  const file = relative(root, absolute).split(sep).join("/");
  if (file.startsWith("../") || isAbsolute(file))
    throw invalidInput(`${range.file} is outside the project.`);
  const text = await readLine(absolute, { file, line: range.line });
  const earlier = await findEarlierNames(projectRoot, file);
  const names = [file, ...earlier];
  const commit = await blameLine(projectRoot, { file, line: range.line, text }, earlier);
  const turn = names
    .map((name) => checkpoints.writerOf({ path: join(root, name), text }))
    .find((found) => found !== undefined);
  const at = turn?.at ?? commit?.at;
  return {
    ...{ file, line: range.line, text, earlier },
    ...(commit !== undefined && { commit }),
    ...(turn !== undefined && { turn }),
    decided: await findDecisions(memory, names),
    passages: await findPassages(memory, { names, text, at, subject: commit?.subject }),
  };
}

async function readLine(
  path: string,
  { file, line }: { readonly file: string; readonly line: number },
): Promise<string> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw invalidInput(`${file} cannot be read: ${messageOf(error)}`);
  });
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const found = lines[line - 1];
  if (found === undefined)
    throw invalidInput(`${file} has only ${lines.length} lines, no line ${line}.`);
  return found;
}

async function findDecisions(
  memory: Memory | undefined,
  names: readonly string[],
): Promise<Why["decided"]> {
  if (memory === undefined || !(await memory.isThere())) return [];
  const found = new Map<string, Item>();
  for (const name of names) {
    const { items } = await memory.execute("items", {
      kinds: ["episode"],
      type: ["decision", "preference", "outcome"],
      entity: `file:${name}`,
      limit: CANDIDATES_PER_RESULT * MAX_DECISIONS,
    });
    for (const item of items) if (!found.has(item.id)) found.set(item.id, item);
  }
  return [...found.values()]
    .filter(({ status }) => status !== "superseded")
    .slice(0, MAX_DECISIONS)
    .map(({ id, type, text, at }) => ({ id, type, text, at }));
}

interface LineSubject {
  readonly names: readonly string[];
  readonly text: string;
  readonly at: string | undefined;
  readonly subject: string | undefined;
}

async function findPassages(
  memory: Memory | undefined,
  about: LineSubject,
): Promise<Why["passages"]> {
  if (memory === undefined || !(await memory.isThere())) return [];
  const { names, text, at, subject } = about;
  const symbols = [...new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]{3,}/gu) ?? [])].slice(0, 8);
  const found = new Map<string, Passage>();
  for (const file of names) {
    const requested = { file, ...(symbols.length > 0 && { symbols }), limit: 12 };
    const { passages } = await memory.execute("file_passages", requested);
    for (const passage of passages) if (!found.has(passage.id)) found.set(passage.id, passage);
  }
  const distance = (when: string) =>
    at === undefined ? 0 : Math.abs(Date.parse(when) - Date.parse(at));
  const isItsCommit = (text: string) => subject !== undefined && text.startsWith(subject);
  return [...found.values()]
    .sort(
      (a, b) =>
        Number(isItsCommit(b.text)) - Number(isItsCommit(a.text)) ||
        distance(a.occurred_at) - distance(b.occurred_at),
    )
    .slice(0, MAX_PASSAGES)
    .map(({ id, kind, by, text, occurred_at }) => ({
      id,
      kind,
      by,
      text: text,
      occurred_at,
    }));
}

interface BlameResult {
  readonly hash: string;
  readonly author: string;
  readonly at: string;
  readonly subject: string;
}

interface LineRequest {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/**
 * The commit that wrote a line; undefined if it is not committed. Git does not read the work tree,
 * where the repository's filters would run.
 */
async function blameLine(
  folder: string,
  request: LineRequest,
  earlier: readonly string[] = [],
): Promise<BlameResult | undefined> {
  const readBlob = async (name: string) =>
    (await gitOutput(folder, ["cat-file", "blob", `HEAD:./${name}`])).text;
  // It may have been renamed since the last commit.
  const [newest = request.file] = earlier;
  const own = await readBlob(request.file);
  const file = own === undefined ? newest : request.file;
  const committed = own ?? (await readBlob(newest));
  const line = nearestWith(request, committed?.split(/\r?\n/) ?? []);
  if (line === undefined) return undefined;
  const { text } = await gitOutput(folder, [
    ...["blame", "--porcelain", "--no-textconv", "-w", "-M"],
    ...["-L", `${line},${line}`, "HEAD", "--", file],
  ]);
  if (text === undefined) return undefined;
  const hash = text.slice(0, text.indexOf(" "));
  const field = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1] ?? "";
  const at = toGitTimestamp(new Date(Number(field("author-time")) * 1000));
  return { hash, author: field("author"), at, subject: field("summary") };
}

function nearestWith(
  { line, text }: LineRequest,
  committed: readonly string[],
): number | undefined {
  const locations = committed.flatMap((one, index) =>
    one.trim() === text.trim() ? [index + 1] : [],
  );
  return locations.sort((a, b) => Math.abs(a - line) - Math.abs(b - line))[0];
}

const MAX_QUOTED_CHARACTERS = 400;

export function formatExplanation(why: Why): string {
  const { file, line, text, earlier, commit, turn, decided, passages } = why;
  const toDay = (at: string) => at.slice(0, 10);
  const quote = (text: string) => `“${shortenLine(text, MAX_QUOTED_CHARACTERS)}”`;
  const found = [
    ...(turn === undefined
      ? []
      : [`prompt: ${quote(turn.prompt)} (session ${turn.session.slice(0, 8)}, ${toDay(turn.at)})`]),
    ...decided.map((one) => `${one.type}: ${quote(one.text)} (${one.id}, ${toDay(one.at)})`),
    ...passages.map(
      (one) =>
        `source: ${quote(one.text)} (${one.id}, ${one.kind}, ${one.by}, ${toDay(one.occurred_at)})`,
    ),
    ...(commit === undefined
      ? []
      : [
          `commit: ${shortenLine(commit.subject, MAX_QUOTED_CHARACTERS)} (${commit.hash.slice(0, 8)}, ${commit.author}, ${toDay(commit.at)})`,
        ]),
  ];
  const named = earlier.length === 0 ? [] : [`was called ${earlier.join(", ")}`];
  const lines = found.length === 0 ? ["Nothing is stored about this line."] : [...found, ...named];
  return stripControl([`${file}:${line}  ${text.trim()}`, ...lines].join("\n"));
}
