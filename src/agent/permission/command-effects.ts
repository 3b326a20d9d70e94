import { statSync } from "node:fs";
import type { PermissionMode } from "../ports/permission-mode.ts";
import { isActedUpon } from "../tools/acted-upon.ts";
import { CREDENTIALS } from "../tools/private-places.ts";
import { NO_COMMAND, type ReadCommand } from "./command-reading.ts";
import { namingWords, RISK_REASONS, type Risk, riskOf, withoutOptions } from "./command-risks.ts";
import { grantedCredential } from "./judge-call.ts";
import { afterChange, outsideWords, type Whereabouts, writesOutside } from "./path-effects.ts";
import type { Effect, PermissionAction } from "./permission-types.ts";
import { readCommand } from "./read-command.ts";
import { type Machine, onlyReads } from "./reading-programs.ts";

export interface CommandSurroundings extends Machine {
  readonly mode: PermissionMode;
  /** Real path. */
  readonly projectRoot: string;
  readonly tool: string;
  /** True if an `rm` in that folder loses nothing, as far as no command before it changes that. */
  readonly isHeld: (words: readonly string[], folder: string, isFirst: boolean) => Promise<boolean>;
}

/** A command, and what is known of where it runs. */
interface Placed {
  readonly command: ReadCommand;
  readonly where: Whereabouts;
  readonly isFirst: boolean;
}

export async function commandEffects(
  text: string,
  surroundings: CommandSurroundings,
): Promise<readonly Effect[]> {
  const { projectRoot } = surroundings;
  const reading = readCommand(text);
  if (reading.kind === "unreadable") return [unclear(text, reading.reason, surroundings)];
  // A variable that is set may be one that the programs after it go by.
  const assigns = reading.commands.some((command) => command.assigns);
  const effects: Effect[] = [];
  let folders = foldersOfLoops(reading.commands, projectRoot);
  for (const [index, command] of reading.commands.entries()) {
    const where = { projectRoot, folders };
    const placed = { command: { ...command, assigns }, where, isFirst: index === 0 };
    effects.push(...(await effectsOf(placed, surroundings)));
    if (!CHANGES_FOLDER.has(command.words[0] ?? "")) continue;
    const after = afterChange(command, folders);
    if (after === undefined) {
      effects.push(unclear(command.words.join(" "), "the folder that it goes to", surroundings));
    } else folders = after;
  }
  return withCredentials(effects);
}

function foldersOfLoops(commands: readonly ReadCommand[], projectRoot: string): readonly string[] {
  const changes = commands.filter(
    ({ isRepeated, words }) => isRepeated && CHANGES_FOLDER.has(words[0] ?? ""),
  );
  let folders: readonly string[] = [projectRoot];
  for (;;) {
    // A folder that cannot be told asks where the command itself is judged.
    const after = changes.flatMap((change) => afterChange(change, folders) ?? []);
    const found = [...new Set([...folders, ...after.filter(isFolder)])];
    if (found.length === folders.length) return folders;
    folders = found;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** States for each program that needs a credential whether it gets it. */
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

function unclear(subject: string, reason: string, { tool, mode }: CommandSurroundings): Effect {
  return {
    tool,
    subject,
    byMode: asked(mode),
    reason: `what it runs cannot be told beforehand: ${reason}`,
    isUnclear: true,
    ...finalIn(mode),
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
  const risk = riskOf(words);
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

/** Each time is asked for. */
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

/** They store what is there, and change no file of the project. */
const STORING = new Set(["add", "commit", "diff", "log", "show", "blame", "status", "ls-files"]);

function changesActedUpon(words: readonly string[]): boolean {
  const isStoring = words[0] === "git" && STORING.has(words[1] ?? "");
  return !isStoring && words.slice(1).some(namesActedUpon);
}

/** True if a word names a file that git, an editor, a shell or an agent acts upon later. */
function namesActedUpon(word: string): boolean {
  return word
    .split("=")
    .some((part) => isActedUpon(part) || /(^|\/)\.(git|cairn)(\/|$)/.test(part));
}

async function riskReason(
  risk: Risk | undefined,
  { command: { words }, where, isFirst }: Placed,
  { isHeld }: CommandSurroundings,
): Promise<readonly string[]> {
  if (risk === undefined) return [];
  if (risk === "delete" && words[0] === "rm") {
    const held = await Promise.all(where.folders.map((folder) => isHeld(words, folder, isFirst)));
    if (held.every((one) => one)) return [];
  }
  return [RISK_REASONS[risk]];
}

/** In the mode that only reads, no rule lets anything else happen. */
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
