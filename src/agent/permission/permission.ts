import { firstHidden, showControl } from "../../kernel/strip-control.ts";
import { PERMISSION_MODES, type PermissionMode } from "../ports/permission-mode.ts";
import type {
  PermissionAnswer,
  PermissionNotice,
  PermissionQuestion,
} from "../ports/permission-question.ts";
import type { PermissionPort } from "../ports/thread-host.ts";
import type { ProcessTable } from "../processes/process-table.ts";
import type { Tool, Touch } from "../tools/define-tool.ts";
import { isInside, type ProjectPaths } from "../tools/project-paths.ts";
import { runByGit } from "../tools/run-by-git.ts";
import { callEffects } from "./call-effects.ts";
import { defaultMode, realRoot } from "./default-mode.ts";
import { isHeldByGit, namesNothing } from "./held-by-git.ts";
import { describe, type Judgement, judgeCall } from "./judge-call.ts";
import type { PermissionRule } from "./permission-types.ts";
import { QuestionDesk } from "./question-desk.ts";
import { isHarmlessRepository } from "./repository-config.ts";
import { SavedRules } from "./saved-rules.ts";
import { isOfSystem } from "./system-program.ts";

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
  /** In which git is asked what it holds. */
  readonly processes: ProcessTable;
  /** The PATH by which commands find programs. */
  readonly path: string | undefined;
}

/** Whose calls are judged. */
export interface Caller {
  readonly threadId: string;
  /** Real paths of the files that the thread has read or written; those of its calls are added. */
  readonly knownFiles: Set<string>;
  /** Of a subagent. */
  readonly contextLabel?: string;
}

/** A call that is about to run. */
export interface CallToJudge {
  readonly callId: string;
  readonly tool: Tool;
  /** It fits the tool's schema. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
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
    }
  /** `text` is what the model is told. */
  | { readonly allowed: false; readonly text: string };

/** Decides about every call of every thread before its tool runs; tools know nothing of it. */
export class Permission implements PermissionPort {
  readonly desk = new QuestionDesk();
  /** Resolves with the mode once it is known what confines. */
  readonly settled: Promise<PermissionMode>;
  #settle: (mode: PermissionMode) => void = () => undefined;
  readonly #options: PermissionOptions;
  readonly #saved: SavedRules;
  /** What was allowed for the rest of a session, by its thread. */
  readonly #ofSession = new Map<string, readonly PermissionRule[]>();
  readonly #projectRoot: string;
  #mode: PermissionMode;
  #isConfined = false;
  /** The person has chosen it by a key. */
  #isChosen = false;

  constructor(options: PermissionOptions) {
    this.#options = options;
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
  settleMode(isConfined: boolean): void {
    this.#isConfined = isConfined;
    if (this.#options.mode === undefined && !this.#isChosen) {
      const { isServer } = this.#options;
      this.#mode = defaultMode({ projectRoot: this.#projectRoot, isConfined, isServer });
    }
    this.#settle(this.#mode);
  }

  /** What the calls of one caller go through. */
  gate(caller: Caller): (call: CallToJudge) => Promise<Permit> {
    return (call) => this.#judge({ ...call, ...caller });
  }

  async #judge(call: CallToJudge & Caller): Promise<Permit> {
    const { tool, input } = call;
    await this.settled;
    const touches: readonly Touch[] =
      tool.uses?.(input) ?? (tool.readOnly ? [] : [{ kind: "unknown" }]);
    const hidden = hiddenIn(touches);
    if (hidden !== undefined) return { allowed: false, text: notShown(hidden) };
    const { paths, rules, processes } = this.#options;
    const effects = await callEffects(touches, {
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
      isHarmlessRepository: async (folder) => isHarmlessRepository(folder),
      isOfSystem: (program) =>
        isOfSystem(program, { projectRoot: this.#projectRoot, path: this.#options.path }),
    });
    const answered = [
      ...(await this.#saved.read()),
      ...(this.#ofSession.get(call.threadId) ?? []),
    ].map((rule) => ({ ...rule, remembered: true }));
    const judgement = judgeCall(effects, [...rules, ...answered]);
    const permit = await this.#decide(call, judgement);
    if (permit.allowed) await this.#remember(call);
    return permit;
  }

  async #decide(call: CallToJudge & Caller, judgement: Judgement): Promise<Permit> {
    const { needsNetwork: network, needsKeys: keys, isOutside: outside } = judgement;
    const allowed: Permit = { allowed: true, network, keys, outside, readOnly: false };
    if (judgement.action === "allow") {
      const readOnly = this.#mode === "plan" || (this.#mode === "ask" && judgement.onlyReads);
      return { ...allowed, readOnly };
    }
    if (judgement.action === "deny") return { allowed: false, text: this.#denial(judgement) };
    if (!this.desk.canAsk) {
      const isHeld = this.#options.isServer && this.#isConfined && this.#mode === "auto";
      if (isHeld && judgement.isOnlyUnclear && !judgement.byRule) return allowed;
      return { allowed: false, text: this.#nobodyToAsk(judgement) };
    }
    const answer = await this.desk.ask(
      await questionOf(call, judgement, this.#options.paths),
      call.signal,
    );
    if (answer.decision === "no") return { allowed: false, text: refusal(answer.message) };
    if (answer.decision === "always") await this.#saved.add(judgement.always);
    if (answer.decision === "session") {
      const before = this.#ofSession.get(call.threadId) ?? [];
      this.#ofSession.set(call.threadId, [...before, ...judgement.always]);
    }
    return allowed;
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

const MAX_TITLE = 1_000;

/** One line of it: a question is no place for a page. */
function titleOf(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, MAX_TITLE) ?? "";
}

async function questionOf(
  call: CallToJudge & Caller,
  { reason, always, isOutside }: Judgement,
  paths: ProjectPaths,
): Promise<Omit<PermissionQuestion, "questionId">> {
  const { tool, input, threadId, callId, contextLabel } = call;
  const touches = tool.uses?.(input) ?? [];
  const command = touches.find((touch) => touch.kind === "command")?.command;
  const path = touches.find((touch) => "path" in touch)?.path;
  const shown = isOutside ? paths.withOutside() : paths;
  const called = tool.title?.(input) ?? command ?? path ?? tool.name;
  const whole = command ?? (titleOf(called) === called ? undefined : called);
  // A call that cannot be shown fails by itself once it runs.
  const diff = await tool.preview?.({ paths: shown }, input).catch(() => undefined);
  return {
    threadId,
    callId,
    tool: tool.name,
    title: showControl(titleOf(called)),
    ...(whole !== undefined && { command: showControl(whole) }),
    ...(diff !== undefined && diff !== "" && { diff: showControl(diff) }),
    reason: showControl(reason),
    always: always.map((rule) => showControl(describe(rule))),
    ...(contextLabel !== undefined && { contextLabel }),
  };
}
