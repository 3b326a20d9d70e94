import {
  type CallOptions,
  type Memory,
  type OutputOf,
  validateInput,
} from "../../../memory/index.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { showControl } from "../../../shared/text.ts";
import type { ExposedTool } from "../tools/exposed-tools.ts";
import { type AskPerson, requireChoice, requireYes } from "./prompt-user.ts";

const SHARED = 0.5;

/** True if the texts share enough words to be a likely contradiction. */
function isSimilarText(a: string, b: string): boolean {
  const [first, second] = [splitWords(a), splitWords(b)];
  const shared = [...first].filter((word) => second.has(word)).length;
  const all = new Set([...first, ...second]).size;
  return all > 0 && shared < all && shared / all >= SHARED;
}

function splitWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

const LONGEST = 300;

function shownText(text: string): string {
  const line = showControl(text.replaceAll(/\s+/g, " ").trim());
  return `“${line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line}”`;
}

/** The call that the client intended. */
interface IntendedCall {
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
}

export interface AskedCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Converts the dry run's result to that of the intended call. */
  answer?(output: unknown): unknown;
}

type Before = (
  memory: Memory,
  call: IntendedCall,
  ask: AskPerson,
) => Promise<AskedCall | undefined>;

const BEFORE: Readonly<Record<string, Before>> = {
  undo: beforeUndo,
  promote: beforePromote,
  remember: beforeRemember,
};

/**
 * Asks for consent before reverting others' changes, sharing with others, or storing a fact that
 * nearly repeats an active one. Undefined: proceed with the call. Throws conflict without consent,
 * and the dry run's errors.
 */
export async function requestConsent(
  memory: Memory,
  { tool: { operation }, input, options }: IntendedCall & { readonly tool: ExposedTool },
  ask: AskPerson,
): Promise<AskedCall | undefined> {
  if (input.dry_run === true || !Object.hasOwn(BEFORE, operation.name)) return undefined;
  validateInput(operation.input, input, operation.name);
  return BEFORE[operation.name]?.(memory, { input, options }, ask);
}

function dryRunOptions({
  onProgress: _told,
  onChange: _also,
  ...options
}: CallOptions): CallOptions {
  return { ...options, surface: "mcp" };
}

const MAX_SHOWN = 10;

async function beforeUndo(
  memory: Memory,
  { input, options }: IntendedCall,
  ask: AskPerson,
): Promise<undefined> {
  const rehearsal = dryRunOptions(options);
  const { undo_of: undone } = (await memory.executeNamed(
    "undo",
    { ...input, dry_run: true },
    rehearsal,
  )) as OutputOf<"undo">;
  const others: string[] = [];
  for (const id of undone) {
    const number = Number(id.slice("change:".length));
    const { changes } = (await memory.executeNamed(
      "changes",
      { before: `change:${number + 1}`, limit: 1, texts: true },
      rehearsal,
    )) as OutputOf<"changes">;
    const [change] = changes;
    if (change === undefined || isOwn(change, options)) continue;
    const [text] = Object.values(change.texts ?? {});
    others.push(`${id} by ${change.author}${text === undefined ? "" : `: ${shownText(text)}`}`);
  }
  if (others.length === 0) return;
  const shown = others.slice(0, MAX_SHOWN);
  if (others.length > shown.length) shown.push(`and ${others.length - shown.length} more`);
  await requireYes(ask, `Undo changes by others? ${shown.join("; ")}`);
}

function isOwn(
  { author, session }: OutputOf<"changes">["changes"][number],
  { caller, session: own }: CallOptions,
): boolean {
  if (caller.name !== undefined) return author === caller.name;
  return author === "mcp" || (own !== undefined && session === own);
}

async function beforePromote(
  memory: Memory,
  { input, options }: IntendedCall,
  ask: AskPerson,
): Promise<undefined> {
  const rehearsed = (await memory.executeNamed(
    "promote",
    { ...input, dry_run: true },
    dryRunOptions(options),
  )) as OutputOf<"promote">;
  const { content } = rehearsed.goes;
  await requireYes(
    ask,
    `Copy ${rehearsed.id} to ${rehearsed.to}, where others can read it? ${shownText(content)}`,
  );
}

const CHOICES = {
  replace: "The new one supersedes the old one",
  both: "Both hold",
  conflict: "Keep both and record a conflict",
} as const;

async function beforeRemember(
  memory: Memory,
  { input, options }: IntendedCall,
  ask: AskPerson,
): Promise<AskedCall | undefined> {
  const { content, idempotency_key: key, ...rest } = input;
  if (input.episode_type !== "fact" || typeof content !== "string") return undefined;
  const remember = { op: "remember", as: "new", content, ...rest };
  const rehearsed = (await memory.executeNamed(
    "apply",
    { changeset: JSON.stringify([remember]), dry_run: true },
    dryRunOptions(options),
  )) as OutputOf<"apply">;
  const similar = collisionsIn(rehearsed).find((one) => isSimilarText(one.statement, content));
  if (similar === undefined) return undefined;
  const message = `Memory contains ${similar.id}: ${shownText(similar.statement)}. New statement: ${shownText(content)}.`;
  const choice = await requireChoice(ask, message, CHOICES);
  if (choice === "both") return undefined;
  const settle =
    choice === "replace"
      ? { op: "supersede", old: similar.id, new: "$new" }
      : { op: "conflict", fact_a: similar.id, fact_b: "$new" };
  return {
    operation: "apply",
    input: {
      changeset: JSON.stringify([remember, settle]),
      ...(key !== undefined && { idempotency_key: key }),
    },
    answer: (output) => {
      const [first] = (output as OutputOf<"apply">).results;
      const { op_index: _index, op: _op, success: _success, ref: _ref, ...answer } = first ?? {};
      return answer;
    },
  };
}

function collisionsIn({ results }: OutputOf<"apply">) {
  const input: unknown = results[0]?.collisions;
  return (Array.isArray(input) ? input : []).flatMap((one: unknown) =>
    isPlainObject(one) && typeof one.id === "string" && typeof one.statement === "string"
      ? [{ id: one.id, statement: one.statement }]
      : [],
  );
}
