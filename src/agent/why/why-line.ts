import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { invalidInput, messageOf } from "../../kernel/errors.ts";
import type { Memory, OutputOf } from "../../memory/index.ts";
import type { LineWriters } from "../ports/checkpoint.ts";
import { type Blamed, blameLine } from "./blame-line.ts";

type Passage = OutputOf<"file_passages">["passages"][number];
type Item = OutputOf<"items">["items"][number];

/** What is behind a line, as far as anybody kept it. */
export interface Why {
  /** Relative to the project. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
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
  const commit = await blameLine(projectRoot, { file, line: asked.line, text });
  const turn = checkpoints.writerOf({ path: absolute, text });
  const at = turn?.at ?? commit?.at;
  return {
    ...{ file, line: asked.line, text },
    ...(commit !== undefined && { commit }),
    ...(turn !== undefined && { turn }),
    decided: await decidedOf(memory, file),
    passages: await passagesOf(memory, { file, text, at, subject: commit?.subject }),
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

async function decidedOf(memory: Memory | undefined, file: string): Promise<Why["decided"]> {
  if (memory === undefined || !(await memory.isThere())) return [];
  const { items } = await memory.execute("items", {
    kinds: ["episode"],
    type: ["decision", "preference", "outcome"],
    entity: `file:${file}`,
    limit: READ_FOR_EACH * MOST_DECIDED,
  });
  return items
    .filter(({ status }) => status !== "superseded")
    .slice(0, MOST_DECIDED)
    .map(({ id, type, text, at }) => ({ id, type, text, at }));
}

interface About {
  readonly file: string;
  readonly text: string;
  /** When the line was written, where that is known. */
  readonly at: string | undefined;
  /** Of its commit. */
  readonly subject: string | undefined;
}

async function passagesOf(memory: Memory | undefined, about: About): Promise<Why["passages"]> {
  if (memory === undefined || !(await memory.isThere())) return [];
  const { file, text, at, subject } = about;
  const symbols = [...new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]{3,}/gu) ?? [])].slice(0, 8);
  const { passages } = await memory.execute("file_passages", {
    file,
    ...(symbols.length > 0 && { symbols }),
    limit: 12,
  });
  const distance = (when: string) =>
    at === undefined ? 0 : Math.abs(Date.parse(when) - Date.parse(at));
  const isItsCommit = (said: string) => subject !== undefined && said.startsWith(subject);
  return [...passages]
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
