import { messageOf } from "../../kernel/errors.ts";
import { firstHidden } from "../../kernel/strip-control.ts";
import type { AuditOutcome } from "../audit/audit-entry.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Lending } from "../ports/lending.ts";
import { PERMISSION_MODES, type PermissionMode } from "../ports/permission-mode.ts";
import type { PermissionAnswer, PermissionNotice } from "../ports/permission-question.ts";
import type { PermissionPort } from "../ports/thread-host.ts";
import type { ProcessTable } from "../processes/process-table.ts";
import type { Claim } from "../tools/claims.ts";
import type { Touch } from "../tools/define-tool.ts";
import { isInside, type ProjectPaths } from "../tools/project-paths.ts";
import { runByGit } from "../tools/run-by-git.ts";
import { callEffects } from "./call-effects.ts";
import type { Caller, CallToJudge } from "./call-to-judge.ts";
import { defaultMode, realRoot } from "./default-mode.ts";
import { isHeldByGit, namesNothing } from "./held-by-git.ts";
import { type Judgement, judgeCall } from "./judge-call.ts";
import { isInOtherRepository } from "./other-repository.ts";
import type { PermissionRule } from "./permission-types.ts";
import { isSaidBy } from "./persons-words.ts";
import { QuestionDesk } from "./question-desk.ts";
import { questionOf } from "./question-of.ts";
import { isHarmlessRepository } from "./repository-config.ts";
import { SavedRules } from "./saved-rules.ts";
import { isOfSystem } from "./system-program.ts";
import { type Foreign, sourcesOf, Taint } from "./taint.ts";

export interface PermissionOptions {
  readonly projectRoot: string;
  readonly userConfigDir: string;
  /** The setting; undefined: by what confines. */
  readonly mode: PermissionMode | undefined;
  readonly rules: readonly PermissionRule[];
  /**
   * Whose calls nobody can be asked about: a server's clients may know nothing of questions, so in
   * mode `auto` and inside of a sandbox a command that cannot be read beforehand runs. All else that
   * asks is denied with a sentence that names the setting.
   */
  readonly isServer: boolean;
  readonly paths: ProjectPaths;
  /** What cairn logs in to for a command, so that it needs no key; undefined, or none given: nothing. */
  readonly lending?: (command: string) => Promise<Lending | undefined>;
  /** The person trusts what this project brings along; default: yes. */
  readonly isTrusted?: boolean;
  /** In which git is asked what it holds. */
  readonly processes: ProcessTable;
  /** Takes down every call before it runs; undefined: nothing is. */
  readonly audit?: AuditLog;
  /** What is decided here is part of a turn that this decides about. */
  readonly within?: PartOfTurn | undefined;
  /** The PATH by which commands find programs. */
  readonly path: string | undefined;
}

/** A turn that has a part of its work done elsewhere: one person is asked, and all that is read counts. */
export interface PartOfTurn {
  readonly permission: Pick<Permission, "desk" | "readBy" | "taint">;
  /** Who does that part, where it asks. */
  readonly label: string;
}

export type Permit =
  | {
      readonly allowed: true;
      readonly network: boolean;
      /** Of the person's, for git and ssh. */
      readonly keys: boolean;
      /** A file tool may leave the project. */
      readonly outside: boolean;
      /** Nobody was asked, because it only reads: so it gets nothing to write. */
      readonly readOnly: boolean;
      /** Why it is to be put to the person instead of being remembered; absent: it is not. */
      readonly asProposal?: string;
    }
  /** `text` is what the model is told. */
  | { readonly allowed: false; readonly text: string };

/** Decides about every call of every thread before its tool runs; tools know nothing of it. */
export class Permission implements PermissionPort {
  readonly desk: QuestionDesk;
  /** Resolves with the mode once it is known what confines. */
  readonly settled: Promise<PermissionMode>;
  #settle: (mode: PermissionMode) => void = () => undefined;
  readonly #options: PermissionOptions;
  readonly #saved: SavedRules;
  /** What was allowed for the rest of a session, by its thread. */
  readonly #ofSession = new Map<string, readonly PermissionRule[]>();
  readonly taint: Taint;
  readonly #onRead = new Map<string, (sources: readonly string[]) => void>();
  readonly #projectRoot: string;
  #mode: PermissionMode;
  #isConfined = false;
  /** The person has chosen it by a key. */
  #isChosen = false;

  constructor(options: PermissionOptions) {
    this.#options = options;
    this.desk = options.within?.permission.desk ?? new QuestionDesk();
    this.taint = options.within?.permission.taint ?? new Taint();
    this.#projectRoot = realRoot(options.projectRoot);
    this.#saved = new SavedRules(options.userConfigDir, this.#projectRoot);
    this.#mode = options.mode ?? "ask";
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  setMode(mode: PermissionMode): void {
    this.#isChosen = true;
    this.#mode = mode;
  }

  /** The next mode, as one key goes through them. */
  cycleMode(): PermissionMode {
    const next = (PERMISSION_MODES.indexOf(this.#mode) + 1) % PERMISSION_MODES.length;
    this.setMode(PERMISSION_MODES[next] ?? "ask");
    return this.#mode;
  }

  attach(listener: (notice: PermissionNotice) => void): () => void {
    return this.desk.attach(listener);
  }

  answer(threadId: string, questionId: string, answer: PermissionAnswer): void {
    this.desk.answer(threadId, questionId, answer);
  }

  /** Chooses the mode where no setting does. */
  settleMode({ isConfined, isFull }: { isConfined: boolean; isFull: boolean }): void {
    this.#isConfined = isConfined;
    if (this.#options.mode === undefined && !this.#isChosen) {
      const { isServer } = this.#options;
      this.#mode = defaultMode({ projectRoot: this.#projectRoot, isConfined: isFull, isServer });
    }
    this.#settle(this.#mode);
  }

  /** What the calls of one caller go through. */
  gate(caller: Caller): (call: CallToJudge) => Promise<Permit> {
    const { within } = this.#options;
    if (within !== undefined) {
      return (call) => this.#judge({ ...call, ...caller, contextLabel: within.label });
    }
    if (caller.contextLabel === undefined) {
      this.taint.begin(caller.threadId, caller.readOfOthers);
      this.#onRead.set(caller.threadId, caller.onRead ?? (() => undefined));
    }
    return (call) => this.#judge({ ...call, ...caller });
  }

  async #judge(call: CallToJudge & Caller): Promise<Permit> {
    const { tool, input } = call;
    await this.settled;
    const touches: readonly Touch[] =
      tool.uses?.(input) ?? (tool.readOnly ? [] : [{ kind: "unknown" }]);
    const hidden = hiddenIn(touches);
    if (hidden !== undefined) {
      const text = notShown(hidden);
      await this.#note(call, { reason: text, outcome: "refused" });
      return { allowed: false, text };
    }
    const { paths, rules, processes } = this.#options;
    const foreign = this.taint.of(call.threadId);
    const effects = await callEffects(touches, {
      foreign,
      isPersons: (claim) => this.#isPersons(call, claim),
      mode: this.#mode,
      projectRoot: this.#projectRoot,
      tool: tool.name,
      paths,
      knownFiles: call.knownFiles,
      isHeldByGit: async (words, isFirst) =>
        (isFirst && namesNothing(words, this.#projectRoot)) ||
        (isHarmlessRepository(this.#projectRoot) && isHeldByGit(words, processes)),
      isRunByGit: async (path) =>
        (await runByGit(this.#projectRoot)).some((named) => isInside(named, path)),
      lending: async (command) => this.#options.lending?.(command),
      isHarmlessRepository: async (folder) => isHarmlessRepository(folder),
      isOfSystem: (program) =>
        isOfSystem(program, { projectRoot: this.#projectRoot, path: this.#options.path }),
    });
    const answered = [
      ...(await this.#saved.read()),
      ...(this.#ofSession.get(call.threadId) ?? []),
    ].map((rule) => ({ ...rule, remembered: true }));
    const judgement = judgeCall(effects, [...rules, ...answered]);
    const { permit, outcome, by } = await this.#decide(call, withSource(judgement, foreign)).catch(
      async (error: unknown) => {
        await this.#note(call, { reason: judgement.reason, outcome: "cancelled" });
        throw error;
      },
    );
    const unnoted = await this.#note(call, { ...permit, reason: judgement.reason, outcome, by });
    if (unnoted !== undefined) return { allowed: false, text: unnoted };
    if (permit.allowed) {
      await this.#remember(call);
      const isTrusted = this.#options.isTrusted ?? true;
      this.readBy(
        call.threadId,
        sourcesOf(call, effects, {
          isTrusted,
          isOfOthers: (path) => isInOtherRepository(this.#projectRoot, path),
        }),
      );
    }
    return permit;
  }

  /** Words of others come into a conversation. */
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

  /** They are gone from it: it was cleared. */
  forget(threadId: string): void {
    // The turn that this is a part of has them still.
    if (this.#options.within !== undefined) return;
    this.taint.clear(threadId);
    this.#onRead.get(threadId)?.([]);
  }

  /** A wish counts once the person has said it; what was decided, unless others could have said it. */
  #isPersons({ threadId, hasRead, said }: Caller, { type, text }: Claim): boolean {
    const others =
      type === "preference" ? (hasRead?.() ?? true) : this.taint.of(threadId) !== undefined;
    return !others || isSaidBy(said?.() ?? "", text);
  }

  /** What the model is told where it could not be noted: then it does not run. */
  async #note(
    call: CallToJudge & Caller,
    { reason, outcome, network, keys, by }: Noted,
  ): Promise<string | undefined> {
    const { tool, input, threadId } = call;
    const touches = tool.uses?.(input) ?? [];
    const named = touches.flatMap((touch) => {
      if (touch.kind === "command") return [touch.command];
      return "path" in touch ? [touch.path] : touch.kind === "host" ? [touch.host] : [];
    });
    const subject = named.length > 0 ? named.join(" ") : JSON.stringify(input);
    const said = {
      ...{ reason, outcome, network: network === true, keys: keys === true },
      ...(by !== undefined && { by }),
    };
    try {
      await this.#options.audit?.note({ threadId, tool: tool.name, subject, ...said });
      return undefined;
    } catch (error) {
      return `Not run: it could not be noted in the log of what the agent does (${messageOf(error)}). Tell the user.`;
    }
  }

  async #decide(call: CallToJudge & Caller, judgement: Judgement): Promise<Decided> {
    const { needsNetwork: network, needsKeys: keys, isOutside: outside } = judgement;
    const allowed: Permit = { allowed: true, network, keys, outside, readOnly: false };
    if (judgement.action === "allow") {
      const readOnly = this.#mode === "plan" || (this.#mode === "ask" && judgement.onlyReads);
      return { permit: { ...allowed, readOnly }, outcome: "allowed" };
    }
    if (judgement.action === "deny") return refused("refused", this.#denial(judgement));
    if (!this.desk.canAsk) {
      const isHeld = this.#options.isServer && this.#isConfined && this.#mode === "auto";
      if (isHeld && judgement.isOnlyUnclear && !judgement.byRule) {
        return { permit: allowed, outcome: "allowed" };
      }
      if (judgement.isProposable) {
        return { permit: { ...allowed, asProposal: judgement.reason }, outcome: "proposed" };
      }
      return refused("nobody to ask", this.#nobodyToAsk(judgement));
    }
    const answer = await this.desk.ask(
      await questionOf(call, judgement, {
        paths: this.#options.paths,
        readBefore: this.taint.of(call.threadId)?.sources,
      }),
      call.signal,
    );
    if (answer.decision === "no") return refused("answered no", refusal(answer.message), answer.by);
    if (answer.decision === "always") await this.#saved.add(judgement.always);
    if (answer.decision === "session") {
      const before = this.#ofSession.get(call.threadId) ?? [];
      this.#ofSession.set(call.threadId, [...before, ...judgement.always]);
    }
    return { permit: allowed, outcome: `answered ${answer.decision}`, by: answer.by };
  }

  async #remember({ tool, input, knownFiles }: CallToJudge & Caller): Promise<void> {
    for (const touch of tool.uses?.(input) ?? []) {
      if (touch.kind !== "read" && touch.kind !== "write") continue;
      knownFiles.add((await this.#options.paths.locate(touch.path)).absolute);
    }
  }

  #denial({ reason, byRule }: Judgement): string {
    if (byRule) return `Not run: ${reason}. Do it another way, or ask the user to change the rule.`;
    if (this.#mode !== "plan") return `Not run: ${reason}.`;
    return (
      "Not run: in plan mode nothing is changed. Look around and say what you would do; the user " +
      "leaves the mode with shift+tab or --permission."
    );
  }

  #nobodyToAsk({ reason, byRule }: Judgement): string {
    const why = reason === "" ? `mode "${this.#mode}" asks before this` : reason;
    const isMode = !byRule && this.#mode !== "auto" && reason === "";
    const cure = isMode
      ? "`--permission auto` runs it without asking"
      : 'a rule in "permission.rules" allows it, or an answer in a terminal (`--permission` sets the mode)';
    return `Not run: ${why}, and there is nobody to ask here. Tell the user that ${cure}.`;
  }
}

interface Decided {
  readonly permit: Permit;
  readonly outcome: AuditOutcome;
  /** Who answered. */
  readonly by?: string | undefined;
}

interface Noted {
  readonly reason: string;
  readonly outcome: AuditOutcome;
  readonly network?: boolean;
  readonly keys?: boolean;
  readonly by?: string | undefined;
}

function refused(outcome: AuditOutcome, text: string, by?: string): Decided {
  return { permit: { allowed: false, text }, outcome, by };
}

/** Whoever is asked sees whose words the turn may follow. */
function withSource(judgement: Judgement, foreign: Foreign | undefined): Judgement {
  if (foreign === undefined || judgement.action !== "ask") return judgement;
  const { reason } = judgement;
  const source = `after reading ${foreign.text}`;
  if (reason.includes(source)) return judgement;
  return { ...judgement, reason: reason === "" ? source : `${reason}; ${source}` };
}

/** Of a command, what no card could show: what is run is what is shown, whoever is asked. */
function hiddenIn(touches: readonly Touch[]): string | undefined {
  const commands = touches.flatMap((touch) => (touch.kind === "command" ? [touch.command] : []));
  return commands.map(firstHidden).find((hidden) => hidden !== undefined);
}

function notShown(hidden: string): string {
  return (
    `Not run: the command holds the character ${hidden}, which nobody would see when they are ` +
    "asked about it. Write it as an escape that the program reads (printf, $'…'), or leave it out."
  );
}

function refusal(message: string | undefined): string {
  const words = message?.trim() ?? "";
  return words === ""
    ? "The user said no to this call. Do not try it in another way; ask what to do instead."
    : `The user said no to this call: ${words}`;
}
