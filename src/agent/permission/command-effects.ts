import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../shared/is-inside.ts";
import type { PermissionMode } from "../ports/permission-mode.ts";
import { isAutoRun } from "../tools/auto-run-files.ts";
import { isThisMachine } from "../tools/is-this-machine.ts";
import { CREDENTIALS } from "../tools/private-places.ts";
import { NO_COMMAND, type ReadCommand } from "./command-reading.ts";
import {
  findCheckedOut,
  findCommandRisk,
  operandWords,
  RISK_REASONS,
  type Risk,
  withoutOptions,
} from "./command-risks.ts";
import { grantedCredential } from "./judge-call.ts";
import {
  type FolderContext,
  foldersAfterChange,
  outsideWords,
  writesOutside,
} from "./path-effects.ts";
import { type Effect, type PermissionAction, stricterAction } from "./permission-types.ts";
import { readCommand } from "./read-command.ts";
import { type CommandMachine, onlyReads } from "./reading-programs.ts";

export interface CommandContext extends CommandMachine {
  readonly mode: PermissionMode;
  readonly projectRoot: string;
  readonly tool: string;
  /** True if a deletion in that folder loses nothing; `isFirst`: nothing changed before. */
  readonly isStoredInGit: (
    words: readonly string[],
    folder: string,
    isFirst: boolean,
  ) => Promise<boolean>;
}

interface PlacedCommand {
  readonly command: ReadCommand;
  readonly where: FolderContext;
  readonly isFirst: boolean;
  /** False if the folder that it runs in is unknown. */
  readonly isPlaced: boolean;
}

export async function commandEffects(
  text: string,
  surroundings: CommandContext,
): Promise<readonly Effect[]> {
  const { projectRoot } = surroundings;
  const reading = readCommand(text);
  // An assigned variable may affect the programs after it.
  const assigns = reading.commands.some((command) => command.assigns);
  if (reading.kind === "unreadable") {
    const where = { projectRoot, folders: [projectRoot] };
    const found = reading.commands.map((command) =>
      effectsOfCommand(
        { command: { ...command, assigns }, where, isFirst: false, isPlaced: false },
        surroundings,
      ),
    );
    const parts = (await Promise.all(found)).flat();
    return [unclearEffect({ subject: text, reason: reading.reason, parts }, surroundings)];
  }
  const effects: Effect[] = [];
  let folders = loopFolders(reading.commands, projectRoot);
  let isPlaced = true;
  for (const command of reading.commands) {
    const where = { projectRoot, folders };
    const isFirst = !command.isRepeated && effects.every(({ onlyReads }) => onlyReads === true);
    const placed = { command: { ...command, assigns }, where, isFirst, isPlaced };
    const added = await effectsOfCommand(placed, surroundings);
    effects.push(...added);
    if (!FOLDER_CHANGING_PROGRAMS.has(command.words[0] ?? "")) continue;
    const after = foldersAfterChange(command, folders);
    if (after !== undefined) folders = after;
    else {
      isPlaced = false;
      const subject = command.words.join(" ");
      const reason = "the folder that it changes to";
      effects.push(unclearEffect({ subject, reason, parts: [] }, surroundings));
    }
  }
  return withCredentials(effects);
}

function loopFolders(commands: readonly ReadCommand[], projectRoot: string): readonly string[] {
  const changes = commands.filter(
    ({ isRepeated, words }) => isRepeated && FOLDER_CHANGING_PROGRAMS.has(words[0] ?? ""),
  );
  let folders: readonly string[] = [projectRoot];
  for (;;) {
    const after = changes.flatMap((change) => foldersAfterChange(change, folders) ?? []);
    const found = [...new Set([...folders, ...after.filter(isFolder)])];
    if (found.length === folders.length) return folders;
    folders = found;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function withCredentials(effects: readonly Effect[]): readonly Effect[] {
  const granted = grantedCredential(effects);
  return effects.map((effect) => {
    const { credential, reason } = effect;
    if (credential === undefined) return effect;
    const access =
      granted === undefined
        ? "it gets no credentials, because other programs run in the same command"
        : `your credentials for ${granted} are available to it and to the programs that it starts`;
    return { ...effect, reason: `${reason}, and ${access}` };
  });
}

const FOLDER_CHANGING_PROGRAMS = new Set(["cd", "pushd", "popd"]);

interface UnclearCommand {
  readonly subject: string;
  readonly reason: string;
  readonly parts: readonly Effect[];
}

/**
 * In mode `auto` the sandbox confines a command that cannot be parsed: it runs unless a parsed part
 * asks. In other modes it asks.
 */
function unclearEffect(
  { subject, reason, parts }: UnclearCommand,
  surroundings: CommandContext,
): Effect {
  const { tool, mode, isConfined } = surroundings;
  const grave = parts.reduce<PermissionAction>(
    (all, { byMode }) => stricterAction(all, byMode),
    "allow",
  );
  const runs = isConfined && mode === "auto" && grave === "allow";
  const reasons = [...new Set(parts.map((part) => part.reason).filter((text) => text !== ""))];
  return {
    ...{ tool, subject, isUnclear: true },
    byMode: runs ? "allow" : grave === "deny" ? "deny" : riskAction(mode),
    reason: [`what it runs cannot be determined in advance: ${reason}`, ...reasons].join("; "),
    needsNetwork: parts.some((part) => part.needsNetwork === true),
    isLasting: parts.some((part) => part.isLasting === true),
    ...(grave === "deny" ? { isFinal: true } : finalFlag(mode)),
  };
}

async function effectsOfCommand(
  placed: PlacedCommand,
  surroundings: CommandContext,
): Promise<readonly Effect[]> {
  const { command, where } = placed;
  const { tool, mode } = surroundings;
  const { words } = command;
  const written = command.writes.map((path) => writeEffect(path, where, surroundings));
  if (words.length === 0 && command.reads.length === 0) return written;
  const subject = words.length === 0 ? `< ${command.reads.join(" ")}` : words.join(" ");
  const risk = findRisk(placed, surroundings);
  if (risk === "forbidden") {
    return [{ tool, subject, byMode: "deny", reason: RISK_REASONS.forbidden, isFinal: true }];
  }
  const outside = outsideWords(command, where);
  const reads = await onlyReads(command, where, surroundings);
  const reasons: string[] = [
    ...(outside.length > 0 ? [`${outside[0]} is outside the project`] : []),
    ...(await riskReason(risk, placed, surroundings)),
    ...(risk === undefined && !reads && changesActedUponFiles(words) ? [RISK_REASONS.config] : []),
  ];
  const isGrave = reasons.length > 0;
  const onlyRead = reads && !isGrave;
  const byMode = isGrave ? riskAction(mode) : onlyRead ? "allow" : runEffect(mode);
  const needsNetwork = risk === "network" || risk === "publish";
  const credential =
    needsNetwork && !command.isStarted
      ? CREDENTIALS.find(({ programs }) => programs.includes(words[0] ?? ""))?.name
      : undefined;
  const run: Effect = {
    tool,
    subject,
    plainSubject: withoutOptions(words).join(" "),
    byMode,
    reason: reasons.join(", and "),
    needsNetwork,
    ...(credential !== undefined && { credential }),
    isLasting: needsNetwork || risk === "config" || reasons.includes(RISK_REASONS.config),
    onlyReads: onlyRead,
    ...remembered({ words, risk, isOutside: outside.length > 0, isGrave }),
    ...(onlyRead || reads ? {} : finalFlag(mode)),
  };
  return [run, ...written];
}

/** "Always" is not offered for these. */
const RISKS_NEVER_SAVED: ReadonlySet<Risk> = new Set(["network", "publish", "privilege", "keys"]);

interface RiskyCommand {
  readonly words: readonly string[];
  readonly risk: Risk | undefined;
  readonly isOutside: boolean;
  readonly isGrave: boolean;
}

function remembered({ words, risk, isOutside, isGrave }: RiskyCommand): { always?: string } {
  if (isOutside || (risk !== undefined && RISKS_NEVER_SAVED.has(risk))) return {};
  if (isGrave) return { always: words.join(" ") };
  return { always: `${operandWords(words).join(" ")} *` };
}

function writeEffect(path: string, where: FolderContext, { tool, mode }: CommandContext): Effect {
  const isOutside = writesOutside(path, where);
  const isProtected = actedUponNames(path);
  const byMode = isOutside || isProtected ? riskAction(mode) : writeEffects(mode);
  const subject = `> ${path}`;
  if (isOutside) {
    const [target = path] = outsideWords({ ...NO_COMMAND, reads: [path] }, where);
    const reason = `it writes outside the project: ${target}`;
    return { tool, subject, byMode, reason, ...finalFlag(mode) };
  }
  const reason = isProtected ? RISK_REASONS.config : "";
  return {
    ...{ tool, subject, byMode, reason, always: subject, ...finalFlag(mode) },
    isLasting: isProtected,
  };
}

const TRACKED_GIT_SUBCOMMANDS = new Set([
  "add",
  "commit",
  "diff",
  "log",
  "show",
  "blame",
  "status",
  "ls-files",
]);

function changesActedUponFiles(words: readonly string[]): boolean {
  const isStoring = words[0] === "git" && TRACKED_GIT_SUBCOMMANDS.has(words[1] ?? "");
  return !isStoring && words.slice(1).some(actedUponNames);
}

/** True if the word names a file that another program runs or loads later. */
function actedUponNames(word: string): boolean {
  return word.split("=").some((part) => isAutoRun(part) || /(^|\/)\.(git|cairn)(\/|$)/.test(part));
}

/** The sandbox has no network and confines programs of git, which lowers some risks. */
function findRisk(
  { command: { words }, where }: PlacedCommand,
  { isConfined }: CommandContext,
): Risk | undefined {
  const risk = findCommandRisk(words);
  if (!isConfined) return risk;
  if (risk === "programs") return undefined;
  if (risk !== "network") return risk;
  if (reachesOnlyThisMachine(words)) return undefined;
  const begun = launchedProgram(words);
  if (begun === undefined) return risk;
  const isWithoutFetch = !begun.fetches || isInstalled(begun.words[0] ?? "", where);
  return isWithoutFetch ? findCommandRisk(begun.words) : risk;
}

function reachesOnlyThisMachine([, ...words]: readonly string[]): boolean {
  const hosts = words.flatMap((word) => {
    const [, scheme, host = ""] =
      /^([a-z]+:\/\/)?([^/:@?#]+|\[[\da-f:]+\])(?=[:/?#]|$)/i.exec(word) ?? [];
    const isNamed = scheme !== undefined || /^(localhost|127\.|\[)/.test(host);
    return isNamed || word.includes("://") ? [host] : [];
  });
  return hosts.length > 0 && hosts.every(isThisMachine);
}

/** Programs that start an installed package or fetch it. */
const LAUNCHER_PATTERN = /^(?:npx|bunx|(?:npm|pnpm|yarn) exec)$/;
const LAUNCHER_OPTION = /^(--|--no-install|--no|-y|--yes)$/;
const FETCH_OPTION = /^(-y|--yes)$/;
/** Without a version, which would be fetched. */
const INSTALLED_NAME = /^(?:@\w[\w.-]*\/)?\w[\w.-]*$/;

interface LaunchedProgram {
  readonly words: readonly string[];
  /** Otherwise it runs without network, and fails unless the tool is installed. */
  readonly fetches: boolean;
}

function launchedProgram(words: readonly string[]): LaunchedProgram | undefined {
  const named = [1, 2].find((length) => LAUNCHER_PATTERN.test(words.slice(0, length).join(" ")));
  if (named === undefined) return undefined;
  const rest = words.slice(named);
  const options = rest.findIndex((word) => !LAUNCHER_OPTION.test(word));
  const begun = rest.slice(options);
  if (options === -1 || !INSTALLED_NAME.test(begun[0] ?? "")) return undefined;
  return { words: begun, fetches: rest.slice(0, options).some((word) => FETCH_OPTION.test(word)) };
}

function isInstalled(name: string, { folders, projectRoot }: FolderContext): boolean {
  return folders.every((start) => {
    for (let folder = start; isInside(projectRoot, folder); folder = dirname(folder)) {
      if (existsSync(join(folder, "node_modules/.bin", name))) return true;
      if (folder === projectRoot) return false;
    }
    return false;
  });
}

async function riskReason(
  risk: Risk | undefined,
  { command: { words, globs, unknown }, where, isFirst, isPlaced }: PlacedCommand,
  { isStoredInGit }: CommandContext,
): Promise<readonly string[]> {
  if (risk === undefined) return [];
  if (risk === "delete" && isPlaced && globs.length === 0 && unknown.length === 0) {
    const commit = findCheckedOut(words);
    const isHarmless = (folder: string) =>
      commit === undefined
        ? isStoredInGit(words, folder, isFirst)
        : !existsSync(join(folder, commit)) && isFirst;
    const harmless = await Promise.all(where.folders.map(isHarmless));
    if (harmless.every((one) => one)) return [];
  }
  return [RISK_REASONS[risk]];
}

/** In plan mode no rule allows a change. */
function finalFlag(mode: PermissionMode): { readonly isFinal?: true } {
  return mode === "plan" ? { isFinal: true } : {};
}

function riskAction(mode: PermissionMode): PermissionAction {
  return mode === "plan" ? "deny" : "ask";
}

function runEffect(mode: PermissionMode): PermissionAction {
  if (mode === "plan") return "deny";
  return mode === "auto" ? "allow" : "ask";
}

function writeEffects(mode: PermissionMode): PermissionAction {
  if (mode === "plan") return "deny";
  return mode === "ask" ? "ask" : "allow";
}
