import { escapePattern } from "../../kernel/escape-pattern.ts";
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

/** What the last rule that matches says; where none does, what the mode says. */
export function matchRules(effect: Effect, rules: readonly PermissionRule[]): Matched {
  let matched: Matched = { action: effect.byMode, rule: undefined };
  if (effect.isFinal === true) return matched;
  for (const rule of rules) {
    if (!matches(rule, effect)) continue;
    const action = rule.tightens === true ? stricter(matched.action, rule.action) : rule.action;
    if (rule.tightens === true && action === matched.action) continue;
    matched = { action, rule };
  }
  return matched;
}

function matches({ tool, pattern }: PermissionRule, effect: Effect): boolean {
  const isOfTool = tool === effect.tool || tool === effect.kind;
  if (!isOfTool && !(tool.includes("*") && toExpression(tool).test(effect.tool))) return false;
  return pattern === undefined || toExpression(pattern).test(effect.subject);
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
