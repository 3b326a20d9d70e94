import { isMasked, type MistakePair, maskSecrets, mistakePair } from "../../memory/index.ts";
import { shorten, shortenLine } from "../../shared/text.ts";
import { type Acceptance, comparableText, sentencesOf } from "../learning/index.ts";
import type { Candidate, TranscriptEntry } from "./candidate.ts";
import { findMistakes } from "./find-mistakes.ts";
import { findStatements } from "./find-statements.ts";
import { NOTHING_SO_FAR, type OpenFailure, type SoFar } from "./session-reading.ts";
import {
  commandOf,
  editedFiles,
  errorLine,
  hasFailed,
  type ToolUse,
  toolUses,
} from "./tool-calls.ts";

/** A cure with more steps is a story rather than advice. */
const MAX_STEPS = 6;
/** A session with more failing commands than this has turned to something else. */
const MAX_FAILURES = 20;

interface FoundCures {
  readonly cures: readonly Candidate[];
  /** Commands that failed and have not passed since, for the next part of the session. */
  readonly failures: readonly OpenFailure[];
}

function findCures(
  uses: readonly ToolUse[],
  cwd: string,
  before: readonly OpenFailure[] = [],
): FoundCures {
  const failures = new Map(before.map((failure) => [failure.command, failure]));
  const cures: Candidate[] = [];
  for (const { call, result } of uses) {
    const command = commandOf(call);
    const failure = command === undefined ? undefined : failures.get(command);
    if (command !== undefined) failures.delete(command);
    const hasPassed = result !== undefined && hasFailed(result) !== true;
    if (failure !== undefined && hasPassed && hasSteps(failure)) cures.push(cure(failure));
    for (const [name, open] of failures) failures.set(name, withStep(open, call, cwd));
    if (command === undefined || result === undefined || hasPassed) continue;
    failures.set(command, { command, error: errorLine(result.text), files: [], commands: [] });
  }
  return { cures, failures: [...failures.values()].slice(-MAX_FAILURES) };
}

function hasSteps({ files, commands }: OpenFailure): boolean {
  return files.length + commands.length > 0;
}

function withStep(failure: OpenFailure, call: ToolUse["call"], cwd: string): OpenFailure {
  const { command, error, files, commands } = failure;
  return {
    ...{ command, error },
    files: firstSteps([...files, ...editedFiles(call, cwd)]),
    commands: firstSteps([...commands, ...workingCommand(call)]),
  };
}

function firstSteps(steps: readonly string[]): string[] {
  return [...new Set(steps)].slice(0, MAX_STEPS);
}

/** Commands that only look at something change nothing. */
const LOOKING =
  /^(?:ls|cat|head|tail|grep|rg|find|sed -n|git (?:status|diff|log|show)|pwd|echo|which)\b/;

function workingCommand(call: ToolUse["call"]): string[] {
  const command = commandOf(call);
  return command === undefined || LOOKING.test(command) ? [] : [command];
}

function cure({ command, error, files, commands }: OpenFailure): Candidate {
  const ran = commands.map((one) => `\`${shortenLine(one, 120)}\``);
  const steps = [
    ...(files.length === 0 ? [] : [`changing ${files.join(", ")}`]),
    ...(ran.length === 0 ? [] : [`running ${ran.join(", ")}`]),
  ];
  const reason = error === "" ? "" : ` with "${error}"`;
  return {
    kind: "cure",
    episodeType: "outcome",
    content: `\`${shortenLine(command, 120)}\` failed${reason}; it passed after ${steps.join(" and ")}.`,
    entities: files.map((path) => `file:${path}`),
    assertedBy: "assistant",
    // If only edits cured it, the fault was in the files and is gone.
    ...(ran.length > 0 && {
      mistake: {
        how: "cured",
        command,
        ...(error !== "" && { error }),
        wanted: steps.join(" and "),
      },
    }),
  };
}

export interface SessionPlace {
  /** Absolute folder of the project. */
  readonly cwd: string;
  readonly accept?: Acceptance | undefined;
}

/** Number of of each kind are kept, the first ones; more would drown a later session. */
const MAX_PER_KIND = 8;
const MAX_FILES = 20;
/** Number of files of a session are tracked; beyond that the episode's list adds nothing. */
const MAX_FILES_KNOWN = 500;

export interface LookedThrough {
  readonly candidates: readonly Candidate[];
  readonly soFar: SoFar;
}

export async function findCandidates(
  entries: readonly TranscriptEntry[],
  place: SessionPlace,
): Promise<readonly Candidate[]> {
  return (await lookThrough(entries, { place, soFar: NOTHING_SO_FAR })).candidates;
}

/** Like `findCandidates`, for a part of a session. It continues from where an earlier part ended. */
export async function lookThrough(
  entries: readonly TranscriptEntry[],
  { place: { cwd, accept }, soFar }: { readonly place: SessionPlace; readonly soFar: SoFar },
): Promise<LookedThrough> {
  const uses = toolUses(entries);
  const { cures, failures } = findCures(uses, cwd, soFar.failures);
  const { mistakes, written } = findMistakes(entries, cwd, soFar.written);
  const { statements, said } = findStatements(entries, accept, soFar.said);
  const all = await Promise.all([...statements, ...mistakes, ...cures].map(masked));
  const { candidates, found } = onlyFirst(all.filter(isWithoutSecrets), soFar.found);
  const edited = uses.flatMap(({ call }) => editedFiles(call, cwd));
  const files = [...new Set([...soFar.files, ...edited])].slice(0, MAX_FILES_KNOWN);
  const task = soFar.task === "" ? taskOf(entries) : soFar.task;
  const touched = edited.length === 0 ? [] : [await masked(filesTouched(files, task))];
  const state = {
    task,
    files,
    failures: [...failures],
    found,
    written: [...written],
    said: [...said],
  };
  return { candidates: [...candidates, ...touched], soFar: await maskedTexts(state) };
}

/** A copy with its secrets masked. */
export async function masked(candidate: Candidate): Promise<Candidate> {
  const { content, quotation, mistake } = candidate;
  return {
    ...candidate,
    content: await maskSecrets(content),
    ...(quotation !== undefined && { quotation: await maskSecrets(quotation) }),
    ...(mistake !== undefined && { mistake: await maskPair(mistake) }),
  };
}

const isWithoutSecrets = ({ content, quotation }: Candidate) =>
  quotation === undefined || !isMasked(content);

/** A copy of the value with secrets masked in every text. */
async function maskedTexts<Value>(value: Value): Promise<Value> {
  if (typeof value === "string") return (await maskSecrets(value)) as Value;
  if (Array.isArray(value)) return (await Promise.all(value.map(maskedTexts))) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = await Promise.all(
    Object.entries(value).map(async ([name, one]) => [name, await maskedTexts(one)] as const),
  );
  return Object.fromEntries(entries) as Value;
}

async function maskPair({ how, wrote, ...texts }: MistakePair): Promise<MistakePair> {
  const masked: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    if (text !== undefined) masked[name] = await maskSecrets(text);
  }
  const lines = wrote && (await Promise.all(wrote.map((line) => maskSecrets(line))));
  return mistakePair.parse({ how, ...masked, wrote: lines });
}

/** The first candidates of each kind in the session, and all that is found so far. */
function onlyFirst(
  candidates: readonly Candidate[],
  before: SoFar["found"],
): { readonly candidates: readonly Candidate[]; readonly found: SoFar["found"] } {
  const known = new Set(Object.values(before).flat());
  const found: Record<string, string[]> = { ...before };
  const first = candidates.filter(({ kind, content, doubt }) => {
    const text = comparableText(content);
    const key = doubt === undefined ? text : `?${text}`;
    const ofKind = found[kind] ?? [];
    const isKnown = known.has(key) || known.has(text);
    if (isKnown || ofKind.length >= MAX_PER_KIND) return false;
    known.add(key);
    found[kind] = [...ofKind, key];
    return true;
  });
  return { candidates: first, found };
}

function filesTouched(files: readonly string[], task: string): Candidate {
  const shown = files.slice(0, MAX_FILES);
  const more = files.length - shown.length;
  const list = more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
  return {
    kind: "files",
    episodeType: "observation",
    content: task === "" ? `Files changed: ${list}.` : `Work on "${task}" changed ${list}.`,
    entities: shown.map((path) => `file:${path}`),
    assertedBy: "assistant",
  };
}

/** The first request of the user. */
function taskOf(entries: readonly TranscriptEntry[]): string {
  for (const entry of entries) {
    if (entry.kind !== "said" || entry.by !== "user") continue;
    const [first] = sentencesOf(entry.text);
    if (first !== undefined) return shorten(first.text, 160);
  }
  return "";
}
