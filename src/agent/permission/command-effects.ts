import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../shared/is-inside.ts";
import type { PermissionMode } from "../ports/permission-mode.ts";
import { isActedUpon } from "../tools/acted-upon.ts";
import { isThisMachine } from "../tools/is-this-machine.ts";
import { CREDENTIALS } from "../tools/private-places.ts";
import { NO_COMMAND, type ReadCommand } from "./command-reading.ts";
import {
  checkedOut,
  namingWords,
  RISK_REASONS,
  type Risk,
  riskOf,
  withoutOptions,
} from "./command-risks.ts";
import { grantedCredential } from "./judge-call.ts";
import { afterChange, outsideWords, type Whereabouts, writesOutside } from "./path-effects.ts";
import { type Effect, type PermissionAction, stricter } from "./permission-types.ts";
import { readCommand } from "./read-command.ts";
import { type Machine, onlyReads } from "./reading-programs.ts";

export interface CommandSurroundings extends Machine {
  readonly mode: PermissionMode;
  readonly projectRoot: string;
  readonly tool: string;
  /** True if a deletion in that folder loses nothing; `isFirst`: nothing changed before. */
  readonly isHeld: (words: readonly string[], folder: string, isFirst: boolean) => Promise<boolean>;
}

interface Placed {
  readonly command: ReadCommand;
  readonly where: Whereabouts;
  readonly isFirst: boolean;
  /** False if the folder that it runs in is unknown. */
  readonly isPlaced: boolean;
}

export async function commandEffects(
  text: string,
  surroundings: CommandSurroundings,
): Promise<readonly Effect[]> {
  const { projectRoot } = surroundings;
  const reading = readCommand(text);
  // An assigned variable may affect the programs after it.
  const assigns = reading.commands.some((command) => command.assigns);
  if (reading.kind === "unreadable") {
    const where = { projectRoot, folders: [projectRoot] };
    const found = reading.commands.map((command) =>
      effectsOf(
        { command: { ...command, assigns }, where, isFirst: false, isPlaced: false },
        surroundings,
      ),
    );
    const parts = (await Promise.all(found)).flat();
    return [unclear({ subject: text, reason: reading.reason, parts }, surroundings)];
  }
  const effects: Effect[] = [];
  let folders = foldersOfLoops(reading.commands, projectRoot);
  let isPlaced = true;
  for (const command of reading.commands) {
    const where = { projectRoot, folders };
    const isFirst = !command.isRepeated && effects.every(({ onlyReads }) => onlyReads === true);
    const placed = { command: { ...command, assigns }, where, isFirst, isPlaced };
    const added = await effectsOf(placed, surroundings);
    effects.push(...added);
    if (!CHANGES_FOLDER.has(command.words[0] ?? "")) continue;
    const after = afterChange(command, folders);
    if (after !== undefined) folders = after;
    else {
      isPlaced = false;
      const subject = command.words.join(" ");
      const reason = "the folder that it goes to";
      effects.push(unclear({ subject, reason, parts: [] }, surroundings));
    }
  }
  return withCredentials(effects);
}

function foldersOfLoops(commands: readonly ReadCommand[], projectRoot: string): readonly string[] {
  const changes = commands.filter(
    ({ isRepeated, words }) => isRepeated && CHANGES_FOLDER.has(words[0] ?? ""),
  );
  let folders: readonly string[] = [projectRoot];
  for (;;) {
    const after = changes.flatMap((change) => afterChange(change, folders) ?? []);
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
        ? "no credential is open to it, because other programs run in the same command"
        : `your credentials for ${granted} are open to it and to what it runs`;
    return { ...effect, reason: `${reason}, and ${access}` };
  });
}

const CHANGES_FOLDER = new Set(["cd", "pushd", "popd"]);

interface Unclear {
  readonly subject: string;
  readonly reason: string;
  readonly parts: readonly Effect[];
}

/**
 * In mode `auto` the sandbox confines a command that cannot be parsed: it runs unless a parsed part
 * asks. In other modes it asks.
 */
function unclear({ subject, reason, parts }: Unclear, surroundings: CommandSurroundings): Effect {
  const { tool, mode, isConfined } = surroundings;
  const grave = parts.reduce<PermissionAction>((all, { byMode }) => stricter(all, byMode), "allow");
  const runs = isConfined && mode === "auto" && grave === "allow";
  const reasons = [...new Set(parts.map((part) => part.reason).filter((text) => text !== ""))];
  return {
    ...{ tool, subject, isUnclear: true },
    byMode: runs ? "allow" : grave === "deny" ? "deny" : asked(mode),
    reason: [`what it runs cannot be determined in advance: ${reason}`, ...reasons].join("; "),
    needsNetwork: parts.some((part) => part.needsNetwork === true),
    isLasting: parts.some((part) => part.isLasting === true),
    ...(grave === "deny" ? { isFinal: true } : finalIn(mode)),
  };
}

async function effectsOf(
  placed: Placed,
  surroundings: CommandSurroundings,
): Promise<readonly Effect[]> {
  const { command, where } = placed;
  const { tool, mode } = surroundings;
  const { words } = command;
  const written = command.writes.map((path) => writeEffect(path, where, surroundings));
  if (words.length === 0 && command.reads.length === 0) return written;
  const subject = words.length === 0 ? `< ${command.reads.join(" ")}` : words.join(" ");
  const risk = riskIn(placed, surroundings);
  if (risk === "forbidden") {
    return [{ tool, subject, byMode: "deny", reason: RISK_REASONS.forbidden, isFinal: true }];
  }
  const outside = outsideWords(command, where);
  const reads = await onlyReads(command, where, surroundings);
  const reasons: string[] = [
    ...(outside.length > 0 ? [`${outside[0]} is outside the project`] : []),
    ...(await riskReason(risk, placed, surroundings)),
    ...(risk === undefined && !reads && changesActedUpon(words) ? [RISK_REASONS.config] : []),
  ];
  const isGrave = reasons.length > 0;
  const onlyRead = reads && !isGrave;
  const byMode = isGrave ? asked(mode) : onlyRead ? "allow" : running(mode);
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
    ...(onlyRead || reads ? {} : finalIn(mode)),
  };
  return [run, ...written];
}

/** "Always" is not offered for these. */
const NEVER_ALWAYS: ReadonlySet<Risk> = new Set(["network", "publish", "privilege", "keys"]);

interface Asked {
  readonly words: readonly string[];
  readonly risk: Risk | undefined;
  readonly isOutside: boolean;
  readonly isGrave: boolean;
}

function remembered({ words, risk, isOutside, isGrave }: Asked): { always?: string } {
  if (isOutside || (risk !== undefined && NEVER_ALWAYS.has(risk))) return {};
  if (isGrave) return { always: words.join(" ") };
  return { always: `${namingWords(words).join(" ")} *` };
}

function writeEffect(
  path: string,
  where: Whereabouts,
  { tool, mode }: CommandSurroundings,
): Effect {
  const isOutside = writesOutside(path, where);
  const isProtected = namesActedUpon(path);
  const byMode = isOutside || isProtected ? asked(mode) : writing(mode);
  const subject = `> ${path}`;
  if (isOutside) {
    const [target = path] = outsideWords({ ...NO_COMMAND, reads: [path] }, where);
    const reason = `it writes outside the project: ${target}`;
    return { tool, subject, byMode, reason, ...finalIn(mode) };
  }
  const reason = isProtected ? RISK_REASONS.config : "";
  return {
    ...{ tool, subject, byMode, reason, always: subject, ...finalIn(mode) },
    isLasting: isProtected,
  };
}

const STORING = new Set(["add", "commit", "diff", "log", "show", "blame", "status", "ls-files"]);

function changesActedUpon(words: readonly string[]): boolean {
  const isStoring = words[0] === "git" && STORING.has(words[1] ?? "");
  return !isStoring && words.slice(1).some(namesActedUpon);
}

/** True if the word names a file that another program runs or loads later. */
function namesActedUpon(word: string): boolean {
  return word
    .split("=")
    .some((part) => isActedUpon(part) || /(^|\/)\.(git|cairn)(\/|$)/.test(part));
}

/** The sandbox has no network and confines programs of git, which lowers some risks. */
function riskIn(
  { command: { words }, where }: Placed,
  { isConfined }: CommandSurroundings,
): Risk | undefined {
  const risk = riskOf(words);
  if (!isConfined) return risk;
  if (risk === "programs") return undefined;
  if (risk !== "network") return risk;
  if (reachesOnlyThisMachine(words)) return undefined;
  const begun = begunByLauncher(words);
  if (begun === undefined) return risk;
  const isWithoutFetch = !begun.fetches || isInstalled(begun.words[0] ?? "", where);
  return isWithoutFetch ? riskOf(begun.words) : risk;
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
const LAUNCHER = /^(?:npx|bunx|(?:npm|pnpm|yarn) exec)$/;
const LAUNCHER_OPTION = /^(--|--no-install|--no|-y|--yes)$/;
const FETCH_OPTION = /^(-y|--yes)$/;
/** Without a version, which would be fetched. */
const INSTALLED_NAME = /^(?:@\w[\w.-]*\/)?\w[\w.-]*$/;

interface Launched {
  readonly words: readonly string[];
  /** Otherwise it runs without network, and fails unless the tool is installed. */
  readonly fetches: boolean;
}

function begunByLauncher(words: readonly string[]): Launched | undefined {
  const named = [1, 2].find((length) => LAUNCHER.test(words.slice(0, length).join(" ")));
  if (named === undefined) return undefined;
  const rest = words.slice(named);
  const options = rest.findIndex((word) => !LAUNCHER_OPTION.test(word));
  const begun = rest.slice(options);
  if (options === -1 || !INSTALLED_NAME.test(begun[0] ?? "")) return undefined;
  return { words: begun, fetches: rest.slice(0, options).some((word) => FETCH_OPTION.test(word)) };
}

function isInstalled(name: string, { folders, projectRoot }: Whereabouts): boolean {
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
  { command: { words, globs, unknown }, where, isFirst, isPlaced }: Placed,
  { isHeld }: CommandSurroundings,
): Promise<readonly string[]> {
  if (risk === undefined) return [];
  if (risk === "delete" && isPlaced && globs.length === 0 && unknown.length === 0) {
    const commit = checkedOut(words);
    const isHarmless = (folder: string) =>
      commit === undefined
        ? isHeld(words, folder, isFirst)
        : !existsSync(join(folder, commit)) && isFirst;
    const held = await Promise.all(where.folders.map(isHarmless));
    if (held.every((one) => one)) return [];
  }
  return [RISK_REASONS[risk]];
}

/** In plan mode no rule allows a change. */
function finalIn(mode: PermissionMode): { readonly isFinal?: true } {
  return mode === "plan" ? { isFinal: true } : {};
}

function asked(mode: PermissionMode): PermissionAction {
  return mode === "plan" ? "deny" : "ask";
}

function running(mode: PermissionMode): PermissionAction {
  if (mode === "plan") return "deny";
  return mode === "auto" ? "allow" : "ask";
}

function writing(mode: PermissionMode): PermissionAction {
  if (mode === "plan") return "deny";
  return mode === "ask" ? "ask" : "allow";
}
