import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Memory, OutputOf } from "../../memory/index.ts";
import { invalidInput, messageOf } from "../../shared/errors.ts";
import type { LineWriters } from "../ports/checkpoint.ts";
import { type Blamed, blameLine } from "./blame-line.ts";
import { earlierNames } from "./earlier-names.ts";

type Passage = OutputOf<"file_passages">["passages"][number];
type Item = OutputOf<"items">["items"][number];

/** What is behind a line, as far as anybody kept it. */
export interface Why {
  /** Relative to the project. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** What the file was called before, newest first, as git knows it. */
  readonly earlier: readonly string[];
  /** Absent: it is not committed. */
  readonly commit?: Blamed;
  /** What was asked when the agent wrote it. */
  readonly turn?: { readonly session: string; readonly at: string; readonly prompt: string };
  /** What was decided or preferred about the file, and how it turned out. */
  readonly decided: readonly Pick<Item, "id" | "type" | "text" | "at">[];
  /** Said about it in sessions and commits, the nearest in time first. */
  readonly passages: readonly Pick<Passage, "id" | "kind" | "by" | "text" | "occurred_at">[];
}

export interface WhyPlace {
  readonly projectRoot: string;
  readonly memory: Memory | undefined;
  readonly checkpoints: LineWriters;
}

const MOST_DECIDED = 5;
/** Some of what is read holds no longer. */
const READ_FOR_EACH = 4;
const MOST_PASSAGES = 3;

/** `src/pay.ts:12`. Throws invalid_input. */
export function parseLine(written: string): { readonly file: string; readonly line: number } {
  const match = /^(.+?):(\d+)(?::\d+)?$/.exec(written.trim());
  const [, file = "", number = "0"] = match ?? [];
  const line = Number(number);
  if (match === null || line < 1) throw invalidInput(`Name a line, such as src/pay.ts:12.`);
  return { file, line };
}

/** Session, prompt, decision, passage and commit behind a line. Throws invalid_input. */
export async function whyLine(place: WhyPlace, written: string): Promise<Why> {
  const { projectRoot, memory, checkpoints } = place;
  const asked = parseLine(written);
  const root = await realpath(projectRoot);
  const absolute = await realpath(resolve(root, asked.file)).catch((error: unknown) => {
    throw invalidInput(`${asked.file} cannot be read: ${messageOf(error)}`);
  });
  const file = relative(root, absolute).split(sep).join("/");
  if (file.startsWith("../") || isAbsolute(file)) throw invalidInput(`${asked.file} lies outside.`);
  const text = await lineOf(absolute, { file, line: asked.line });
  const earlier = await earlierNames(projectRoot, file);
  const names = [file, ...earlier];
  const commit = await blameLine(projectRoot, { file, line: asked.line, text }, earlier);
  const turn = names
    .map((name) => checkpoints.writerOf({ path: join(root, name), text }))
    .find((found) => found !== undefined);
  const at = turn?.at ?? commit?.at;
  return {
    ...{ file, line: asked.line, text, earlier },
    ...(commit !== undefined && { commit }),
    ...(turn !== undefined && { turn }),
    decided: await decidedOf(memory, names),
    passages: await passagesOf(memory, { names, text, at, subject: commit?.subject }),
  };
}

async function lineOf(
  path: string,
  { file, line }: { readonly file: string; readonly line: number },
): Promise<string> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw invalidInput(`${file} cannot be read: ${messageOf(error)}`);
  });
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const found = lines[line - 1];
  if (found === undefined) throw invalidInput(`${file} has ${lines.length} lines, and no ${line}.`);
  return found;
}

async function decidedOf(
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
      limit: READ_FOR_EACH * MOST_DECIDED,
    });
    for (const item of items) if (!found.has(item.id)) found.set(item.id, item);
  }
  return [...found.values()]
    .filter(({ status }) => status !== "superseded")
    .slice(0, MOST_DECIDED)
    .map(({ id, type, text, at }) => ({ id, type, text, at }));
}

interface About {
  /** Of the file, its own first. */
  readonly names: readonly string[];
  readonly text: string;
  /** When the line was written, where that is known. */
  readonly at: string | undefined;
  /** Of its commit. */
  readonly subject: string | undefined;
}

async function passagesOf(memory: Memory | undefined, about: About): Promise<Why["passages"]> {
  if (memory === undefined || !(await memory.isThere())) return [];
  const { names, text, at, subject } = about;
  const symbols = [...new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]{3,}/gu) ?? [])].slice(0, 8);
  const found = new Map<string, Passage>();
  for (const file of names) {
    const wanted = { file, ...(symbols.length > 0 && { symbols }), limit: 12 };
    const { passages } = await memory.execute("file_passages", wanted);
    for (const passage of passages) if (!found.has(passage.id)) found.set(passage.id, passage);
  }
  const distance = (when: string) =>
    at === undefined ? 0 : Math.abs(Date.parse(when) - Date.parse(at));
  const isItsCommit = (said: string) => subject !== undefined && said.startsWith(subject);
  return [...found.values()]
    .sort(
      (a, b) =>
        Number(isItsCommit(b.text)) - Number(isItsCommit(a.text)) ||
        distance(a.occurred_at) - distance(b.occurred_at),
    )
    .slice(0, MOST_PASSAGES)
    .map(({ id, kind, by, text: said, occurred_at }) => ({
      id,
      kind,
      by,
      text: said,
      occurred_at,
    }));
}
