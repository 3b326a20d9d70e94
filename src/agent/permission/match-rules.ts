import { escapePattern } from "../../shared/text.ts";
import {
  type Effect,
  type PermissionAction,
  type PermissionRule,
  stricter,
} from "./permission-types.ts";

export interface Matched {
  readonly action: PermissionAction;
  /** The rule that decided; undefined: the mode did. */
  readonly rule: PermissionRule | undefined;
}

export function matchRules(effect: Effect, rules: readonly PermissionRule[]): Matched {
  let matched: Matched = { action: effect.byMode, rule: undefined };
  if (effect.isFinal === true) return matched;
  for (const rule of rules) {
    if (!matches(rule, effect) || !covers(rule, effect)) continue;
    const action = rule.tightens === true ? stricter(matched.action, rule.action) : rule.action;
    if (rule.tightens === true && action === matched.action) continue;
    matched = { action, rule };
  }
  return matched;
}

/**
 * An answer that was given once for `find *` does not cover a `find` that deletes, reaches others or
 * leaves the project; and no pattern covers what lasts, once it may be the wish of others.
 */
function covers({ remembered, pattern, action }: PermissionRule, effect: Effect): boolean {
  const { always, isLasting, isTainted, kind } = effect;
  if (isLasting === true && isTainted === true && action === "allow") {
    // `*.example.com` still names a host; a command with `*` may do anything.
    const isNamed = kind === "network" ? /[^*]/.test(pattern ?? "") : !/\*|^$/.test(pattern ?? "");
    if (!isNamed) return false;
  }
  if (remembered !== true) return true;
  return pattern === undefined ? always === "*" : pattern === always;
}

function matches({ tool, pattern, action }: PermissionRule, effect: Effect): boolean {
  const isOfTool = tool === effect.tool || tool === effect.kind;
  if (!isOfTool && !(tool.includes("*") && toExpression(tool).test(effect.tool))) return false;
  if (pattern === undefined) return true;
  // The structure of an unclear command is unknown: only its exact text is allowed, and any denial may be about it.
  if (effect.isUnclear === true) {
    return action === "deny" || action === "ask" ? true : pattern === effect.subject;
  }
  const expression = toExpression(pattern);
  if (expression.test(effect.subject)) return true;
  // `git -C elsewhere push` is a push; but who allows a push did not allow it anywhere.
  return action !== "allow" && expression.test(effect.plainSubject ?? effect.subject);
}

/**
 * `*` stands for anything, also for nothing. A pattern that ends in ` *` takes the words before it
 * alone, too: `npm test *` is `npm test` and `npm test --watch`, and not `npm testing`.
 */
export function toExpression(pattern: string): RegExp {
  const isPrefix = pattern.endsWith(" *");
  const body = isPrefix ? pattern.slice(0, -2) : pattern;
  const escaped = body.split(/\*+/).map(escapePattern).join("[\\s\\S]*");
  return new RegExp(`^${escaped}${isPrefix ? "(?: [\\s\\S]*)?" : ""}$`);
}
