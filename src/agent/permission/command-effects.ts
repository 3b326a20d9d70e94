import type { PermissionMode } from "../ports/permission-mode.ts";
import type { ReadCommand } from "./command-reading.ts";
import { namingWords, RISK_REASONS, riskOf } from "./command-risks.ts";
import { leadsOutside, outsideWords } from "./path-effects.ts";
import type { Effect, PermissionAction } from "./permission-types.ts";
import { readCommand } from "./read-command.ts";
import { onlyReads } from "./reading-programs.ts";

export interface CommandSurroundings {
  readonly mode: PermissionMode;
  /** Real path. */
  readonly projectRoot: string;
  readonly tool: string;
  /**
   * Whether git has every file that these words name as it is now. What is not there at all needs no
   * keeping, as long as nothing runs before that could put something in its place.
   */
  readonly isHeldByGit: (words: readonly string[], isFirst: boolean) => Promise<boolean>;
}

/** What a shell command would do, one effect for each program that it starts. */
export async function commandEffects(
  text: string,
  surroundings: CommandSurroundings,
): Promise<readonly Effect[]> {
  const { tool, mode } = surroundings;
  const reading = readCommand(text);
  if (reading.kind === "unreadable") {
    const reason = `what it runs cannot be told beforehand: ${reading.reason}`;
    return [{ tool, subject: text, byMode: asked(mode), reason, isUnclear: true }];
  }
  const effects: Effect[] = [];
  for (const [index, command] of reading.commands.entries()) {
    effects.push(...(await effectsOf(command, surroundings, index === 0)));
  }
  return effects;
}

async function effectsOf(
  command: ReadCommand,
  surroundings: CommandSurroundings,
  isFirst: boolean,
): Promise<readonly Effect[]> {
  const { tool, mode, projectRoot } = surroundings;
  const { words, writes } = command;
  const written = writes.map((path): Effect => {
    const isOutside = leadsOutside(path, projectRoot);
    const isProtected = PROTECTED.test(path);
    const byMode = isOutside || isProtected ? asked(mode) : writing(mode);
    const reason = isOutside ? "it writes outside the project" : isProtected ? CONFIG : "";
    return { tool, subject: `> ${path}`, byMode, reason, always: `> ${path}` };
  });
  if (words.length === 0) return written;
  const subject = words.join(" ");
  const risk = riskOf(words);
  if (risk === "forbidden") {
    return [{ tool, subject, byMode: "deny", reason: RISK_REASONS.forbidden, isFinal: true }];
  }
  const outside = outsideWords(words, projectRoot);
  const reasons = [
    ...(outside.length > 0 ? [`${outside[0]} is outside the project`] : []),
    ...(await riskReason(risk, { words, isFirst }, surroundings)),
    ...(risk === undefined && !onlyReads(words) && words.some((word) => PROTECTED.test(word))
      ? [CONFIG]
      : []),
  ];
  const isGrave = reasons.length > 0;
  const byMode = isGrave ? asked(mode) : onlyReads(words) ? "allow" : running(mode);
  const always = isGrave && risk === "delete" ? subject : `${namingWords(words).join(" ")} *`;
  const needsNetwork = risk === "network" || risk === "publish";
  return [
    { tool, subject, byMode, reason: reasons.join(", and "), always, needsNetwork },
    ...written,
  ];
}

const CONFIG = RISK_REASONS.config;
/** Files that git, an editor, a shell or an agent would act upon outside of any sandbox. */
const PROTECTED =
  /(^|[/=])(\.git(\/|$)|\.cairn(\/|$)|\.vscode(\/|$)|\.idea(\/|$)|\.claude(\/|$)|\.codex(\/|$)|\.gemini(\/|$)|\.cursor(\/|$)|\.mcp\.json$|\.envrc$|\.(bash|zsh)(rc|_profile|env)$|\.profile$|\.gitconfig$|\.gitmodules$)/;

async function riskReason(
  risk: ReturnType<typeof riskOf>,
  { words, isFirst }: { readonly words: readonly string[]; readonly isFirst: boolean },
  { isHeldByGit }: CommandSurroundings,
): Promise<readonly string[]> {
  if (risk === undefined) return [];
  if (risk === "delete" && words[0] === "rm" && (await isHeldByGit(words, isFirst))) return [];
  return [RISK_REASONS[risk]];
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
