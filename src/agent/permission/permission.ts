import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import { isInside } from "../../shared/is-inside.ts";
import { commandOutsideProjects } from "../../shared/programs.ts";
import { findHiddenCharacter } from "../../shared/text.ts";
import type { AuditLog, AuditOutcome } from "../audit/audit-log.ts";
import { readJsonList, updateJsonList } from "../documents/json-list-file.ts";
import type { PermissionMode } from "../ports/permission-mode.ts";
import type { PermissionAnswer, PermissionNotice } from "../ports/permission-question.ts";
import type { PermissionPort } from "../ports/thread-host.ts";
import type { Claim } from "../tools/claims.ts";
import type { Touch } from "../tools/define-tool.ts";
import { contentHash, type ProjectPaths, runByGit } from "../tools/project-paths.ts";
import { callEffects } from "./call-effects.ts";
import { ChosenMode, containsHome, realRoot } from "./chosen-mode.ts";
import {
  formatDenial,
  hiddenCallReason,
  isRefusal,
  type Judgement,
  judgeCall,
  noApproverReason,
} from "./judge-call.ts";
import { PERMISSION_ACTIONS, type PermissionRule } from "./permission-types.ts";
import { QuestionDesk } from "./question-desk.ts";
import { isRecoverable } from "./recoverable-deletion.ts";
import { isHarmlessRepository } from "./repository-config.ts";
import {
  auditDecision,
  type Caller,
  type CallToJudge,
  createQuestion,
  listSources,
  Taint,
  type UntrustedContent,
} from "./taint.ts";
import { UntrustedParts } from "./untrusted-parts.ts";

/** True for a program outside of projects that is not a shim of a version manager. */
export function isSystemProgram(program: string, path: string | undefined): boolean {
  const found = commandOutsideProjects(program, path);
  if (found === undefined) return false;
  return ![found, realpathSync(found)].some((candidate) =>
    /\/(shims|\.volta)$/.test(dirname(candidate)),
  );
}

const rule = z.strictObject({
  tool: z.string(),
  pattern: z.string().optional(),
  action: z.enum(PERMISSION_ACTIONS),
});

class SavedRules {
  readonly #file: { readonly path: string; readonly item: typeof rule };

  constructor(userConfigDir: string, projectRoot: string) {
    const hash = createHash("sha256").update(projectRoot).digest("hex").slice(0, 12);
    const name = `${basename(projectRoot) || "root"}-${hash}.json`;
    this.#file = { path: join(userConfigDir, "permissions", name), item: rule };
  }

  /** Not cached: another process may add rules. Throws invalid_input if broken. */
  read(): Promise<readonly PermissionRule[]> {
    return readJsonList(this.#file);
  }

  async add(rules: readonly PermissionRule[]): Promise<void> {
    await updateJsonList(this.#file, (list) => {
      const known = new Set(list.map((one) => JSON.stringify([one.tool, one.pattern])));
      const added = rules.filter((one) => !known.has(JSON.stringify([one.tool, one.pattern])));
      const plain = added.map(({ tool, pattern, action }) => ({
        tool,
        action,
        ...(pattern !== undefined && { pattern }),
      }));
      return { list: [...list, ...plain], result: undefined };
    });
  }
}

const MIN_QUOTED_RATIO = 0.5;
const MIN_WORD_LENGTH = 3;

function isQuotedFrom(message: string, claim: string): boolean {
  const words = splitWords(claim);
  if (words.size === 0) return false;
  const known = splitWords(message);
  const shared = [...words].filter((word) => known.has(word)).length;
  return shared / words.size >= MIN_QUOTED_RATIO;
}

function splitWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words.filter((word) => word.length >= MIN_WORD_LENGTH && !COMMON_CLAIM_WORDS.has(word)),
  );
}

const COMMON_CLAIM_WORDS: ReadonlySet<string> = new Set(
  "the user prefers wants likes person their they this that project always never should must and for with from use uses not".split(
    " ",
  ),
);

export interface PermissionOptions {
  readonly projectRoot: string;
  readonly userConfigDir: string;
  /** Undefined: files written after untrusted content was read are not recorded. */
  readonly dataDir?: string;
  readonly mode: PermissionMode | undefined;
  readonly rules: readonly PermissionRule[];
  /** Until a client answers a question, the default mode of a server is `auto`. */
  readonly isServer: boolean;
  readonly paths: ProjectPaths;
  /** Default: true. */
  readonly isTrusted?: boolean;
  readonly audit?: AuditLog;
  readonly within?: DelegatedTurn | undefined;
  readonly path: string | undefined;
}

/** A delegated part of a turn: it shares the asked user and the content that was read. */
export interface DelegatedTurn {
  readonly permission: Pick<Permission, "desk" | "readBy" | "taint">;
  readonly label: string;
}

export type Permit =
  | {
      readonly allowed: true;
      readonly network: boolean;
      readonly credential: string | undefined;
      /** Resolves each path as it was judged; tools open files only through it. */
      readonly paths: ProjectPaths;
      readonly readOnly: boolean;
      /** Reason why a memory becomes a proposal instead of being stored. */
      readonly asProposal?: string;
    }
  | { readonly allowed: false; readonly text: string };

/** Decides about each call of each thread before its tool runs. */
export class Permission implements PermissionPort {
  readonly desk: QuestionDesk;
  readonly #mode: ChosenMode;
  readonly #options: PermissionOptions;
  readonly #saved: SavedRules;
  readonly #ofSession = new Map<string, readonly PermissionRule[]>();
  readonly taint: Taint;
  readonly #onRead = new Map<string, (sources: readonly string[]) => void>();
  readonly #projectRoot: string;
  readonly #parts: UntrustedParts;

  constructor(options: PermissionOptions) {
    this.#options = options;
    this.desk = options.within?.permission.desk ?? new QuestionDesk();
    this.taint = options.within?.permission.taint ?? new Taint();
    this.#projectRoot = realRoot(options.projectRoot);
    const { dataDir, paths } = options;
    this.#parts = new UntrustedParts({ projectRoot: this.#projectRoot, paths, dataDir });
    this.#saved = new SavedRules(options.userConfigDir, this.#projectRoot);
    const { mode, isServer } = options;
    this.#mode = new ChosenMode({ projectRoot: this.#projectRoot, mode, isServer });
  }

  get mode(): PermissionMode {
    return this.#mode.current;
  }

  get settled(): Promise<PermissionMode> {
    return this.#mode.settled;
  }

  setMode(mode: PermissionMode): void {
    this.#mode.set(mode);
  }

  cycleMode(): PermissionMode {
    return this.#mode.cycle();
  }

  attach(listener: (notice: PermissionNotice) => void): () => void {
    this.#mode.noteAnswerer();
    return this.desk.attach(listener);
  }

  answer(threadId: string, questionId: string, answer: PermissionAnswer): void {
    this.desk.answer(threadId, questionId, answer);
  }

  settleMode(isConfined: boolean): void {
    this.#mode.settle(isConfined);
  }

  gate(caller: Caller): (call: CallToJudge) => Promise<Permit> {
    const { within } = this.#options;
    if (within !== undefined) {
      return (call) => this.#judge({ ...call, ...caller, contextLabel: within.label });
    }
    if (caller.contextLabel === undefined) {
      this.taint.begin(caller.threadId, caller.readOfOthers);
      this.#onRead.set(caller.threadId, caller.onRead ?? (() => undefined));
      // Its instructions, file names and skills are in the prompt.
      if (!this.#isTrusted) this.readBy(caller.threadId, ["this project (not trusted)"]);
    }
    return (call) => this.#judge({ ...call, ...caller });
  }

  async #judge(call: CallToJudge & Caller): Promise<Permit> {
    const { tool, input } = call;
    const { rules, audit } = this.#options;
    const paths = this.#options.paths.forCall();
    await this.settled;
    const touches: readonly Touch[] =
      tool.uses?.(input) ?? (tool.readOnly ? [] : [{ kind: "unknown" }]);
    const hidden = findHidden(touches);
    if (hidden !== undefined) {
      const text = hiddenCallReason(hidden);
      await auditDecision(audit, call, { reason: text, outcome: "refused" });
      return { allowed: false, text };
    }
    const foreign = this.taint.of(call.threadId);
    const effects = await callEffects(touches, {
      foreign,
      isPersons: (claim) => this.#isPersons(call, claim),
      mode: this.mode,
      projectRoot: this.#projectRoot,
      tool: tool.name,
      paths,
      knownFiles: call.knownFiles,
      isRunByGit: async (path) =>
        (await runByGit(this.#projectRoot)).some((named) => isInside(named, path)),
      isConfined: this.#mode.isConfined && !containsHome(this.#projectRoot),
      isStoredInGit: (words, folder, isFirst) =>
        isRecoverable({ words, folder, isFirst, storeForUndo: call.storeForUndo }),
      isHarmlessRepository: async (folder) => isHarmlessRepository(folder),
      isOfSystem: async (program) => isSystemProgram(program, this.#options.path),
    });
    const answered = [
      ...(await this.#saved.read()),
      ...(this.#ofSession.get(call.threadId) ?? []),
    ].map((rule) => ({ ...rule, remembered: true }));
    const judgement = judgeCall(effects, [...rules, ...answered]);
    const { permit, outcome, by } = await this.#decide(
      call,
      addSource(judgement, foreign),
      paths,
    ).catch(async (error: unknown) => {
      await auditDecision(audit, call, { reason: judgement.reason, outcome: "cancelled" });
      throw error;
    });
    const unnoted = await auditDecision(audit, call, {
      ...permit,
      reason: judgement.reason,
      outcome,
      by,
    });
    if (unnoted !== undefined) return { allowed: false, text: unnoted };
    if (permit.allowed) {
      await this.#remember(call, paths);
      const read = { isTrusted: this.#isTrusted, parts: this.#parts };
      this.readBy(call.threadId, await listSources(call, effects, read));
    }
    return permit;
  }

  get #isTrusted(): boolean {
    return this.#options.isTrusted ?? true;
  }

  /** Records files and folders that a message adds to the conversation. */
  async mentioned(threadId: string, paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const { absolute } = await this.#options.paths.locate(path);
      const isOutside = !isInside(this.#projectRoot, absolute);
      const relativePath = relative(this.#projectRoot, absolute) || ".";
      const sources = isOutside ? [`file ${path}`] : await this.#parts.sourcesOfPath(relativePath);
      this.readBy(threadId, sources);
    }
  }

  readBy(threadId: string, sources: readonly string[]): void {
    if (sources.length === 0) return;
    const { within } = this.#options;
    if (within !== undefined) {
      within.permission.readBy(threadId, sources);
      return;
    }
    this.taint.add(threadId, sources);
    this.#onRead.get(threadId)?.(this.taint.of(threadId)?.sources ?? []);
  }

  forget(threadId: string): void {
    if (this.#options.within !== undefined) return;
    this.taint.clear(threadId);
    this.#onRead.get(threadId)?.([]);
  }

  /** A preference must be stated by the user; a decision must not have another source. */
  #isPersons({ threadId, hasRead, userText }: Caller, { type, text }: Claim): boolean {
    const others =
      type === "preference" ? (hasRead?.() ?? true) : this.taint.of(threadId) !== undefined;
    return !others || isQuotedFrom(userText?.() ?? "", text);
  }

  async #decide(
    call: CallToJudge & Caller,
    judgement: Judgement,
    judged: ProjectPaths,
  ): Promise<PermissionResult> {
    const { needsNetwork: network, credential } = judgement;
    const paths = judgement.isOutside ? judged.withOutside() : judged;
    const allowed = { allowed: true as const, network, credential, paths, readOnly: false };
    if (judgement.action === "allow") {
      const readOnly = this.mode === "plan" || (this.mode === "ask" && judgement.onlyReads);
      return { permit: { ...allowed, readOnly }, outcome: "allowed" };
    }
    if (judgement.action === "deny") return refuse("refused", formatDenial(judgement, this.mode));
    if (!this.desk.canAsk) {
      if (judgement.isProposable) {
        return { permit: { ...allowed, asProposal: judgement.reason }, outcome: "proposed" };
      }
      return refuse("nobody to ask", noApproverReason(judgement, this.mode));
    }
    const reviewedFiles = await shownFiles(call, paths);
    const answer = await this.desk.ask(
      await createQuestion(call, judgement, {
        paths,
        readBefore: this.taint.of(call.threadId)?.sources,
      }),
      call.signal,
    );
    if (answer.decision === "no")
      return refuse("answered no", isRefusal(answer.message), answer.by);
    if (answer.decision === "always") await this.#saved.add(judgement.always);
    if (answer.decision === "session") {
      const before = this.#ofSession.get(call.threadId) ?? [];
      this.#ofSession.set(call.threadId, [...before, ...judgement.always]);
    }
    const permit = { ...allowed, paths: paths.onlyAsShown(reviewedFiles) };
    return { permit, outcome: `answered ${answer.decision}`, by: answer.by };
  }

  async #remember(
    { tool, input, threadId, knownFiles }: CallToJudge & Caller,
    paths: ProjectPaths,
  ): Promise<void> {
    for (const touch of tool.uses?.(input) ?? []) {
      if (touch.kind !== "read" && touch.kind !== "write") continue;
      if (touch.kind === "write") {
        await this.#parts.noteWritten(touch.path, this.taint.of(threadId)?.text);
      }
      knownFiles.add((await paths.locate(touch.path)).absolute);
    }
  }
}

/** Hashes the files that a call would change, before the question shows the difference. */
async function shownFiles(
  { tool, input }: CallToJudge,
  paths: ProjectPaths,
): Promise<ReadonlyMap<string, string | undefined>> {
  const hashes = new Map<string, string | undefined>();
  for (const touch of tool.uses?.(input) ?? []) {
    if (touch.kind !== "write") continue;
    const { absolute } = await paths.locate(touch.path);
    hashes.set(absolute, await contentHash(absolute));
  }
  return hashes;
}

interface PermissionResult {
  readonly permit: Permit;
  readonly outcome: AuditOutcome;
  readonly by?: string | undefined;
}

function refuse(outcome: AuditOutcome, text: string, by?: string): PermissionResult {
  return { permit: { allowed: false, text }, outcome, by };
}

function addSource(judgement: Judgement, foreign: UntrustedContent | undefined): Judgement {
  if (foreign === undefined || judgement.action !== "ask") return judgement;
  const { reason } = judgement;
  const source = `after reading ${foreign.text}`;
  if (reason.includes(source)) return judgement;
  return { ...judgement, reason: reason === "" ? source : `${reason}; ${source}` };
}

function findHidden(touches: readonly Touch[]): string | undefined {
  const commands = touches.flatMap((touch) => (touch.kind === "command" ? [touch.command] : []));
  return commands.map(findHiddenCharacter).find((hidden) => hidden !== undefined);
}
