import { relative, resolve } from "node:path";
import { messageOf } from "../../shared/errors.ts";
import { isInside } from "../../shared/is-inside.ts";
import { withTarget } from "../../shared/physical-path.ts";
import { showControl } from "../../shared/text.ts";
import type { AuditLog, AuditOutcome } from "../audit/audit-log.ts";
import type { PermissionQuestion } from "../ports/permission-question.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { ProjectPaths } from "../tools/project-paths.ts";
import { describeRule, type Judgement } from "./judge-call.ts";
import type { Effect } from "./permission-types.ts";
import type { UntrustedParts } from "./untrusted-parts.ts";

export interface UntrustedContent {
  /** `example.org/…`, `mcp:docs`, `file /etc/hosts`. */
  readonly sources: readonly string[];
  readonly text: string;
  /** False if it was read in an earlier turn whose text is still in the conversation. */
  readonly isOfThisTurn: boolean;
}

const MAX_STORED = 8;
const MAX_SHOWN = 3;
const MAX_HOST_LENGTH = 60;

/** Untrusted content that each conversation has read, as long as it is part of it. */
export class Taint {
  readonly #turn = new Map<string, Set<string>>();
  readonly #before = new Map<string, Set<string>>();

  /** Begins a turn of the user; subagents belong to the turn that called them. */
  begin(threadId: string, stored: readonly string[] = []): void {
    const before = this.#before.get(threadId) ?? new Set();
    for (const source of [...stored, ...(this.#turn.get(threadId) ?? [])]) before.add(source);
    this.#before.set(threadId, before);
    this.#turn.delete(threadId);
  }

  clear(threadId: string): void {
    this.#turn.delete(threadId);
    this.#before.delete(threadId);
  }

  add(threadId: string, sources: readonly string[]): void {
    if (sources.length === 0) return;
    const read = this.#turn.get(threadId) ?? new Set();
    for (const source of sources) read.add(source.slice(0, MAX_HOST_LENGTH));
    this.#turn.set(threadId, read);
  }

  of(threadId: string): UntrustedContent | undefined {
    const turn = this.#turn.get(threadId) ?? new Set();
    const sources = [...new Set([...turn, ...(this.#before.get(threadId) ?? [])])];
    if (sources.length === 0) return undefined;
    const listed =
      sources.length > MAX_SHOWN
        ? [...sources.slice(0, MAX_SHOWN), `${sources.length - MAX_SHOWN} more`]
        : sources;
    const text = listed.join(", ").replace(/, (?=[^,]*$)/, " and ");
    return { sources: sources.slice(0, MAX_STORED), text, isOfThisTurn: turn.size > 0 };
  }
}

/**
 * Returns the sources of untrusted content that a call adds to the conversation. A command counts
 * by what it can read, not by its text.
 */
export async function listSources(
  { tool, input }: Pick<CallToJudge, "tool" | "input">,
  effects: readonly Effect[],
  { isTrusted, parts }: { readonly isTrusted: boolean; readonly parts: UntrustedParts },
): Promise<readonly string[]> {
  const touched: string[] = [];
  for (const touch of tool.uses?.(input) ?? []) {
    if (touch.kind === "host") touched.push(`${touch.host}/…`);
    else if (touch.kind === "unknown" && touch.version !== undefined) {
      touched.push(parseServerName(tool.name));
    } else if (touch.kind === "command") {
      const output = isTrusted
        ? await parts.sourcesOfCommand()
        : ["a command's output (not trusted)"];
      touched.push(...output);
    } else if (touch.kind === "read") {
      const read = isTrusted
        ? await parts.sourcesOfPath(touch.path)
        : [`file ${touch.path} (not trusted)`];
      touched.push(...read);
    }
  }
  const further = effects.flatMap(({ isOutside, needsNetwork, subject, kind }) => {
    if (isOutside === true) return [`file ${subject}`];
    return needsNetwork === true && kind === undefined ? findHosts(subject) : [];
  });
  return [...touched, ...further];
}

function parseServerName(tool: string): string {
  const server = /^mcp__(.+?)__/.exec(tool)?.[1];
  return server === undefined ? tool : `mcp:${server}`;
}

function findHosts(command: string): readonly string[] {
  const hosts = [...command.matchAll(/\bhttps?:\/\/(?:[^/\s'"@]*@)?([^/\s'":]+)/g)];
  return hosts.length === 0 ? ["the network"] : hosts.map(([, host]) => `${host}/…`);
}

interface AuditedDecision {
  readonly reason: string;
  readonly outcome: AuditOutcome;
  readonly network?: boolean;
  readonly credential?: string | undefined;
  readonly by?: string | undefined;
}

/** Logs a call before it runs. Returns an error text if that failed; it must not run then. */
export async function auditDecision(
  audit: AuditLog | undefined,
  call: CallToJudge & Caller,
  { reason, outcome, network, credential, by }: AuditedDecision,
): Promise<string | undefined> {
  const { tool, input, threadId } = call;
  const touches = tool.uses?.(input) ?? [];
  const named = touches.flatMap((touch) => {
    if (touch.kind === "command") return [touch.command];
    return "path" in touch ? [touch.path] : touch.kind === "host" ? [touch.host] : [];
  });
  const subject = named.length > 0 ? named.join(" ") : JSON.stringify(input);
  const details = {
    ...{ reason, outcome, network: network === true, keys: credential !== undefined },
    ...(by !== undefined && { by }),
  };
  try {
    await audit?.note({ threadId, tool: tool.name, subject, ...details });
    return undefined;
  } catch (error) {
    return `Not run: it could not be noted in the log of what the agent does (${messageOf(error)}). Tell the user.`;
  }
}

export interface Caller {
  readonly threadId: string;
  /** Real paths of files that the thread has read or written; calls add to it. */
  readonly knownFiles: Set<string>;
  readonly userText?: () => string;
  /** True if the conversation has content that the user did not write; default: true. */
  readonly hasRead?: () => boolean;
  readonly readOfOthers?: readonly string[];
  readonly storeForUndo?: (paths: readonly string[]) => Promise<void>;
  readonly onRead?: (sources: readonly string[]) => void;
  readonly contextLabel?: string;
}

export interface CallToJudge {
  readonly callId: string;
  readonly tool: Tool;
  /** Valid against the tool's schema. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

const MAX_TITLE = 1_000;

function formatTitle(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, MAX_TITLE) ?? "";
}

async function pathWithTarget(
  label: string,
  path: string | undefined,
  paths: ProjectPaths,
): Promise<string> {
  if (path === undefined) return label;
  const { absolute, root } = await paths.locate(path);
  const toRelativePath = (one: string) => (isInside(root, one) ? relative(root, one) || "." : one);
  return withTarget(label, {
    named: toRelativePath(resolve(root, path)),
    real: toRelativePath(absolute),
  });
}

export async function createQuestion(
  call: CallToJudge & Caller,
  { reason, always }: Judgement,
  {
    paths,
    readBefore = [],
  }: { readonly paths: ProjectPaths; readonly readBefore?: readonly string[] | undefined },
): Promise<Omit<PermissionQuestion, "questionId">> {
  const { tool, input, threadId, callId, contextLabel } = call;
  const touches = tool.uses?.(input) ?? [];
  const command = touches.find((touch) => touch.kind === "command")?.command;
  const path = touches.find((touch) => "path" in touch)?.path;
  const named = tool.title?.(input) ?? command ?? path ?? tool.name;
  const called = await pathWithTarget(named, path, paths);
  const whole = command ?? (formatTitle(called) === called ? undefined : called);
  // Expected: a call without a valid preview fails when it runs.
  const diff = await tool.preview?.({ paths }, input).catch(() => undefined);
  return {
    threadId,
    callId,
    tool: tool.name,
    title: showControl(formatTitle(called)),
    ...(whole !== undefined && { command: showControl(whole) }),
    ...(diff !== undefined && diff !== "" && { diff: showControl(diff) }),
    reason: showControl(reason),
    always: always.map((rule) => showControl(describeRule(rule))),
    ...(readBefore.length > 0 && { readBefore: readBefore.map(showControl) }),
    ...(contextLabel !== undefined && { contextLabel }),
  };
}
