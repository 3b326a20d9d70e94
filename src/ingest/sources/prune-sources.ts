import type { Memory, OutputOf } from "../../memory/index.ts";
import { SOURCE_KEY } from "./decisions/read-decisions.ts";
import type { SourceRetention } from "./settings.ts";

/** Above this many characters of source texts, the oldest sessions are forgotten. */
export const MAX_SOURCE_CHARS = 256 * 1024 * 1024;

const DAY_MS = 24 * 60 * 60 * 1000;

type StoredSource = OutputOf<"list_sources">["sources"][number];

/**
 * Forgets idle and excess sessions according to the rules, as one undoable change; histories and
 * files stay. Returns the number forgotten.
 */
export async function pruneSources(
  memory: Memory,
  retention: SourceRetention,
  now: Date,
  maxChars = MAX_SOURCE_CHARS,
): Promise<number> {
  if (!(await memory.isThere())) return 0;
  const { sources } = await memory.execute("list_sources", {});
  const due = findDueSources(sources, { ...retention, maxChars }, now);
  if (due.length === 0) return 0;
  const ops = due.map(({ id }) => ({ op: "delete", id }));
  await memory.execute("apply", { changeset: JSON.stringify(ops) }, { author: "sources.keep" });
  return due.length;
}

function findDueSources(
  sources: readonly StoredSource[],
  { age, maxChars }: SourceRetention & { readonly maxChars: number },
  now: Date,
): StoredSource[] {
  const before =
    age === "off" ? "" : new Date(now.getTime() - parseDays(age) * DAY_MS).toISOString();
  const sessions = sources
    .filter(({ kind }) => kind !== "git" && kind !== SOURCE_KEY)
    .sort((a, b) => getLast(a).localeCompare(getLast(b)));
  const due: StoredSource[] = [];
  let size = sources.reduce((sum, source) => sum + source.size, 0);
  for (const source of sessions) {
    const isTooMuch = size > maxChars;
    if (!isTooMuch && getLast(source) >= before) break;
    due.push(source);
    size -= source.size;
  }
  return due;
}

const getLast = ({ last_at: lastAt, updated_at: read }: StoredSource) => lastAt ?? read;

const parseDays = (age: string) => Number.parseInt(age, 10);
