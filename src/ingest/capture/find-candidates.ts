import { isMasked, type MistakePair, maskSecrets, mistakePair } from "../../memory/index.ts";
import { shorten, shortenLine } from "../../shared/text.ts";
import {
  type Acceptance,
  comparableText,
  findPaths,
  judgeClaim,
  type LearningPassage,
  learnByRules,
  splitSentences,
} from "../learning/index.ts";
import { findMistakes } from "./find-mistakes.ts";
import {
  type EarlierStatement,
  EMPTY_STATE,
  type OpenFailure,
  type ReadingState,
} from "./session-reading.ts";
import type { Candidate, TranscriptEntry } from "./tool-calls.ts";
import {
  findCommand,
  findErrorLine,
  hasFailed,
  listEditedFiles,
  pairToolCalls,
  type ToolUse,
} from "./tool-calls.ts";

/** Recent statements kept so that a later reply can confirm them. */
const MAX_EARLIER_STATEMENTS = 12;
const MAX_EARLIER_CHARACTERS = 4_000;

interface FoundStatements {
  readonly statements: readonly Candidate[];
  readonly said: readonly EarlierStatement[];
}

/**
 * Finds preferences, decisions, facts and causes. Earlier statements are only used to interpret a
 * short confirmation such as "yes".
 */
function findStatements(
  entries: readonly TranscriptEntry[],
  accept: Acceptance = "auto",
  before: readonly EarlierStatement[] = [],
): FoundStatements {
  const earlier = before.map((one, index) => ({ ...one, id: `before:${index}` }));
  const newPassages = learningPassages(entries);
  const passages = [...earlier, ...newPassages];
  const isNew = new Set(newPassages.map(({ id }) => id));
  const statements = learnByRules(passages).flatMap((claim): Candidate[] => {
    if (!claim.evidence.some((id) => isNew.has(id))) return [];
    const judged = judgeClaim({ claim, passages, accept });
    if (judged.verdict === "refuse") return [];
    const { text: content, said_by: assertedBy, at, quotation, corrects, rejects } = claim;
    const entities = claim.files.map((path) => `file:${path}`);
    return [
      {
        ...CANDIDATES_BY_KIND[claim.kind],
        ...{ content, entities, assertedBy, at, quotation, corrects, rejects },
        ...(claim.onlyReplaces === true && { onlyReplaces: true }),
        ...(judged.verdict === "propose" && { doubt: judged.reason }),
      },
    ];
  });
  return { statements, said: passages.slice(-MAX_EARLIER_STATEMENTS).map(shortenStatement) };
}

function shortenStatement({ by, text, hasReadForeign }: StatedPassage): EarlierStatement {
  return {
    by,
    text: text.slice(-MAX_EARLIER_CHARACTERS),
    ...(hasReadForeign && { hasReadForeign }),
  };
}

const CANDIDATES_BY_KIND = {
  preference: { kind: "preference", episodeType: "preference" },
  decision: { kind: "decision", episodeType: "decision" },
  fact: { kind: "fact", episodeType: "fact" },
  outcome: { kind: "cure", episodeType: "outcome" },
  failed_attempt: { kind: "cure", episodeType: "outcome" },
} as const;

const UNTRUSTED_TOOL = /^(?:mcp__|web_?fetch|web_?search|fetch|browser|open_url|read_url)/i;

type StatedPassage = LearningPassage & { readonly by: EarlierStatement["by"] };

export function learningPassages(entries: readonly TranscriptEntry[]): StatedPassage[] {
  let hasReadForeign = false;
  return entries.flatMap((entry, index): StatedPassage[] => {
    if (entry.kind === "call" && UNTRUSTED_TOOL.test(entry.tool)) hasReadForeign = true;
    if (entry.kind !== "said") return [];
    if (entry.by === "user") hasReadForeign = false;
    return [{ id: `entry:${index}`, by: entry.by, text: entry.text, at: entry.at, hasReadForeign }];
  });
}

type StatementType = Candidate["episodeType"] | "fact" | "question";

export interface Statement {
  readonly episodeType: StatementType;
  readonly content: string;
  /** Entity ids of the mentioned paths, such as `file:src/app.ts`. */
  readonly entities: readonly string[];
}

/** A kind as prefix, as in `decision: We deploy on Fridays`. */
const KIND_PREFIX = /^(decision|preference|outcome|observation|fact|question)\s*:\s*(?=\S)/i;

export function classifyStatement(text: string): Statement {
  const value = text.trim();
  const name = KIND_PREFIX.exec(value);
  const content = name === null ? value : value.slice(name[0].length);
  const entities = findPaths(content).map((path) => `file:${path}`);
  if (name?.[1] !== undefined) {
    return { episodeType: name[1].toLowerCase() as StatementType, content, entities };
  }
  const [found] = findStatements([{ kind: "said", by: "user", text: content }]).statements;
  if (found !== undefined) return { episodeType: found.episodeType, content, entities };
  return { episodeType: content.endsWith("?") ? "question" : "fact", content, entities };
}

/** Fixes with more steps are too specific to be useful advice. */
const MAX_STEPS = 6;
/** Sessions with more failing commands no longer work on one problem. */
const MAX_FAILURES = 20;

interface FoundCures {
  readonly cures: readonly Candidate[];
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
    const command = findCommand(call);
    const failure = command === undefined ? undefined : failures.get(command);
    if (command !== undefined) failures.delete(command);
    const hasPassed = result !== undefined && hasFailed(result) !== true;
    if (failure !== undefined && hasPassed && hasSteps(failure))
      cures.push(createCure(failure, call.at));
    for (const [name, open] of failures) failures.set(name, addStep(open, call, cwd));
    if (command === undefined || result === undefined || hasPassed) continue;
    failures.set(command, { command, error: findErrorLine(result.text), files: [], commands: [] });
  }
  return { cures, failures: [...failures.values()].slice(-MAX_FAILURES) };
}

function hasSteps({ files, commands }: OpenFailure): boolean {
  return files.length + commands.length > 0;
}

function addStep(failure: OpenFailure, call: ToolUse["call"], cwd: string): OpenFailure {
  const { command, error, files, commands } = failure;
  return {
    ...{ command, error },
    files: firstSteps([...files, ...listEditedFiles(call, cwd)]),
    commands: firstSteps([...commands, ...workingCommand(call)]),
  };
}

function firstSteps(steps: readonly string[]): string[] {
  return [...new Set(steps)].slice(0, MAX_STEPS);
}

/** Read-only commands. */
const READ_ONLY_COMMANDS =
  /^(?:ls|cat|head|tail|grep|rg|find|sed -n|git (?:status|diff|log|show)|pwd|echo|which)\b/;

function workingCommand(call: ToolUse["call"]): string[] {
  const command = findCommand(call);
  return command === undefined || READ_ONLY_COMMANDS.test(command) ? [] : [command];
}

function createCure(
  { command, error, files, commands }: OpenFailure,
  at: string | undefined,
): Candidate {
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
    at,
    // If only edits fixed it, the fault was in the files and is gone.
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

export interface SessionContext {
  readonly cwd: string;
  readonly accept?: Acceptance | undefined;
}

const MAX_PER_KIND = 8;
const MAX_FILES = 20;
const MAX_TRACKED_FILES = 500;

export interface FoundCandidates {
  readonly candidates: readonly Candidate[];
  readonly soFar: ReadingState;
}

export async function findCandidates(
  entries: readonly TranscriptEntry[],
  context: SessionContext,
): Promise<readonly Candidate[]> {
  return (await findNewCandidates(entries, { context: context, soFar: EMPTY_STATE })).candidates;
}

/** Like `findCandidates`, but for part of a session, resuming from an earlier state. */
export async function findNewCandidates(
  entries: readonly TranscriptEntry[],
  {
    context: { cwd, accept },
    soFar,
  }: { readonly context: SessionContext; readonly soFar: ReadingState },
): Promise<FoundCandidates> {
  const uses = pairToolCalls(entries);
  const { cures, failures } = findCures(uses, cwd, soFar.failures);
  const { mistakes, written } = findMistakes(entries, cwd, soFar.written);
  const { statements, said } = findStatements(entries, accept, soFar.said);
  const all = await Promise.all([...statements, ...mistakes, ...cures].map(maskCandidate));
  const { candidates, found } = limitPerKind(all.filter(isWithoutSecrets), soFar.found);
  const edited = uses.flatMap(({ call }) => listEditedFiles(call, cwd));
  const files = [...new Set([...soFar.files, ...edited])].slice(0, MAX_TRACKED_FILES);
  const task = soFar.task === "" ? findTask(entries) : soFar.task;
  const touched = edited.length === 0 ? [] : [await maskCandidate(filesTouched(files, task))];
  const state = {
    task,
    files,
    failures: [...failures],
    found,
    written: [...written],
    said: [...said],
  };
  return { candidates: [...candidates, ...touched], soFar: await maskTexts(state) };
}

export async function maskCandidate(candidate: Candidate): Promise<Candidate> {
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

async function maskTexts<Value>(value: Value): Promise<Value> {
  if (typeof value === "string") return (await maskSecrets(value)) as Value;
  if (Array.isArray(value)) return (await Promise.all(value.map(maskTexts))) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = await Promise.all(
    Object.entries(value).map(async ([name, one]) => [name, await maskTexts(one)] as const),
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

/** Limits the candidates of each kind per session and returns the updated counts. */
function limitPerKind(
  candidates: readonly Candidate[],
  before: ReadingState["found"],
): { readonly candidates: readonly Candidate[]; readonly found: ReadingState["found"] } {
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
  const listed = files.slice(0, MAX_FILES);
  const more = files.length - listed.length;
  const list = more === 0 ? listed.join(", ") : `${listed.join(", ")} and ${more} more`;
  return {
    kind: "files",
    episodeType: "observation",
    content: task === "" ? `Files changed: ${list}.` : `Work on "${task}" changed ${list}.`,
    entities: listed.map((path) => `file:${path}`),
    assertedBy: "assistant",
  };
}

function findTask(entries: readonly TranscriptEntry[]): string {
  for (const entry of entries) {
    if (entry.kind !== "said" || entry.by !== "user") continue;
    const [first] = splitSentences(entry.text);
    if (first !== undefined) return shorten(first.text, 160);
  }
  return "";
}
