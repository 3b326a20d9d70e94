import { escapePattern } from "../../shared/text.ts";
import type { PermissionMode } from "../ports/permission-mode.ts";
import {
  type Effect,
  type PermissionAction,
  type PermissionRule,
  stricterAction,
  WHOLE_TOOL,
} from "./permission-types.ts";

export interface Judgement {
  readonly action: PermissionAction;
  /** Reason for a question or a denial; empty if the mode requires it. */
  readonly reason: string;
  readonly byRule: boolean;
  /** Rules that "always" would add; empty if it is not offered. */
  readonly always: readonly PermissionRule[];
  readonly needsNetwork: boolean;
  /** Granted only if no other program runs in the same command. */
  readonly credential: string | undefined;
  readonly isOutside: boolean;
  readonly onlyReads: boolean;
  /** Everything that asks may instead be stored as a proposal for the user. */
  readonly isProposable: boolean;
}

/** Judges a call by its strictest effect. */
export function judgeCall(effects: readonly Effect[], rules: readonly PermissionRule[]): Judgement {
  const judged = effects.map((effect) => ({ effect, ...matchRules(effect, rules) }));
  const action = judged.reduce<PermissionAction>(
    (all, one) => stricterAction(all, one.action),
    "allow",
  );
  const deciding = judged.filter((one) => one.action === action);
  const open = judged.filter((one) => one.action === "ask");
  const canRemember = action === "ask" && open.every(({ effect }) => effect.always !== undefined);
  const reasons = deciding.map(({ effect, rule }) =>
    rule === undefined ? effect.reason : `a rule says "${rule.action}" for ${describeRule(rule)}`,
  );
  return {
    action,
    reason: [...new Set(reasons.filter((reason) => reason !== ""))].join("; "),
    byRule: deciding.some(({ rule }) => rule !== undefined),
    always: canRemember ? open.map(({ effect }) => alwaysRule(effect)) : [],
    onlyReads: effects.length > 0 && effects.every((effect) => effect.onlyReads === true),
    isOutside: judged.some(({ effect }) => effect.isOutside === true),
    isProposable: open.length > 0 && open.every(({ effect }) => effect.isProposable === true),
    credential: grantedCredential(effects),
    needsNetwork: judged.some(({ effect }) => effect.needsNetwork === true),
  };
}

/** Undefined if several are needed, or if another program runs in the same command. */
export function grantedCredential(effects: readonly Effect[]): string | undefined {
  const [name, ...others] = new Set(effects.flatMap(({ credential }) => credential ?? []));
  if (name === undefined || others.length > 0) return undefined;
  const isAlone = effects.every(({ credential, onlyReads }) => credential === name || onlyReads);
  return isAlone ? name : undefined;
}

function alwaysRule({ tool, always }: Effect): PermissionRule {
  return {
    tool,
    action: "allow",
    ...(typeof always === "string" && { pattern: always }),
  };
}

export function describeRule({ tool, pattern }: PermissionRule): string {
  return pattern === undefined ? tool : `${tool} ${pattern}`;
}

interface RuleMatch {
  readonly action: PermissionAction;
  readonly rule: PermissionRule | undefined;
}

export function matchRules(effect: Effect, rules: readonly PermissionRule[]): RuleMatch {
  let matched: RuleMatch = { action: effect.byMode, rule: undefined };
  if (effect.isFinal === true) return matched;
  for (const rule of rules) {
    if (!ruleMatches(rule, effect) || !ruleCovers(rule, effect)) continue;
    const action =
      rule.tightens === true ? stricterAction(matched.action, rule.action) : rule.action;
    if (rule.tightens === true && action === matched.action) continue;
    matched = { action, rule };
  }
  return matched;
}

/**
 * A remembered answer for `find *` does not cover a `find` that deletes, uses the network or leaves
 * the project. No pattern covers a lasting effect once untrusted content was read.
 */
function ruleCovers({ remembered, pattern, action }: PermissionRule, effect: Effect): boolean {
  const { always, isLasting, isTainted, kind } = effect;
  if (isLasting === true && isTainted === true && action === "allow") {
    // `*.example.com` still names a host; a command with `*` may do anything.
    const isNamed = kind === "network" ? /[^*]/.test(pattern ?? "") : !/\*|^$/.test(pattern ?? "");
    if (!isNamed) return false;
  }
  if (remembered !== true) return true;
  return pattern === undefined ? always === WHOLE_TOOL : pattern === always;
}

function ruleMatches({ tool, pattern, action }: PermissionRule, effect: Effect): boolean {
  const isOfTool = tool === effect.tool || tool === effect.kind;
  if (!isOfTool && !(tool.includes("*") && toExpression(tool).test(effect.tool))) return false;
  if (pattern === undefined) return true;
  // An unparsed command is allowed only by its exact text; any denial may apply.
  if (effect.isUnclear === true) {
    return action === "deny" || action === "ask" ? true : pattern === effect.subject;
  }
  const expression = toExpression(pattern);
  if (expression.test(effect.subject)) return true;
  // `git -C elsewhere push` matches a denial of `git push`, not a permission.
  return action !== "allow" && expression.test(effect.plainSubject ?? effect.subject);
}

/**
 * `*` matches any text, also none. A trailing ` *` is optional: `npm test *` matches `npm test` and
 * `npm test --watch`, but not `npm testing`.
 */
function toExpression(pattern: string): RegExp {
  const isPrefix = pattern.endsWith(" *");
  const body = isPrefix ? pattern.slice(0, -2) : pattern;
  const escaped = body.split(/\*+/).map(escapePattern).join("[\\s\\S]*");
  return new RegExp(`^${escaped}${isPrefix ? "(?: [\\s\\S]*)?" : ""}$`);
}

export function formatDenial({ reason, byRule }: Judgement, mode: PermissionMode): string {
  if (byRule) return `Not run: ${reason}. Do it another way, or ask the user to change the rule.`;
  if (mode !== "plan") return `Not run: ${reason}.`;
  return (
    "Not run: plan mode allows no changes. Explore the project and describe what you would do; " +
    "the user leaves plan mode with shift+tab or --permission."
  );
}

export function noApproverReason({ reason, byRule }: Judgement, mode: PermissionMode): string {
  const why = reason === "" ? `mode "${mode}" asks before this` : reason;
  const isMode = !byRule && mode !== "auto" && reason === "";
  const cure = isMode
    ? "`--permission auto` runs it without asking"
    : 'a rule in "permission.rules" allows it, or an answer in a terminal (`--permission` sets the mode)';
  return `Not run: ${why}, and no user is available to ask. Tell the user that ${cure}.`;
}

export function hiddenCallReason(hidden: string): string {
  return (
    `Not run: the command contains the character ${hidden}, which would be invisible when the user is ` +
    "asked about it. Write it as an escape sequence (printf, $'…'), or leave it out."
  );
}

export function isRefusal(message: string | undefined): string {
  const words = message?.trim() ?? "";
  return words === ""
    ? "The user rejected this call. Do not try it another way; ask what to do instead."
    : `The user rejected this call: ${words}`;
}
