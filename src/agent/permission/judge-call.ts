import { matchRules } from "./match-rules.ts";
import {
  type Effect,
  type PermissionAction,
  type PermissionRule,
  stricter,
} from "./permission-types.ts";

export interface Judgement {
  readonly action: PermissionAction;
  /** Why it asks or is denied, for the person and the model; empty: the mode wants it so. */
  readonly reason: string;
  /** Somebody has written a rule for this; what only the mode says may be waived. */
  readonly byRule: boolean;
  /** Rules that "always" would add; empty: it is not offered. */
  readonly always: readonly PermissionRule[];
  /** An allowed effect needs the network. */
  readonly needsNetwork: boolean;
  /** The one credential that is granted: no other program runs beside what needs it. */
  readonly credential: string | undefined;
  /** An allowed effect is outside of the project. */
  readonly isOutside: boolean;
  /** All of it is known to change nothing. */
  readonly onlyReads: boolean;
  /** All that asks may be put to the person for later. */
  readonly isProposable: boolean;
  readonly isOnlyUnclear: boolean;
}

/** The strictest answer of all effects decides. */
export function judgeCall(effects: readonly Effect[], rules: readonly PermissionRule[]): Judgement {
  const judged = effects.map((effect) => ({ effect, ...matchRules(effect, rules) }));
  const action = judged.reduce<PermissionAction>((all, one) => stricter(all, one.action), "allow");
  const deciding = judged.filter((one) => one.action === action);
  const open = judged.filter((one) => one.action === "ask");
  const canRemember = action === "ask" && open.every(({ effect }) => effect.always !== undefined);
  const reasons = deciding.map(({ effect, rule }) =>
    rule === undefined ? effect.reason : `a rule says "${rule.action}" for ${describe(rule)}`,
  );
  return {
    action,
    reason: [...new Set(reasons.filter((reason) => reason !== ""))].join("; "),
    byRule: deciding.some(({ rule }) => rule !== undefined),
    always: canRemember ? open.map(({ effect }) => alwaysRule(effect)) : [],
    onlyReads: effects.length > 0 && effects.every((effect) => effect.onlyReads === true),
    isOutside: judged.some(({ effect }) => effect.isOutside === true),
    isProposable: open.length > 0 && open.every(({ effect }) => effect.isProposable === true),
    isOnlyUnclear: open.length > 0 && open.every(({ effect }) => effect.isUnclear === true),
    credential: grantedCredential(effects),
    needsNetwork: judged.some(({ effect }) => effect.needsNetwork === true),
  };
}

/** Undefined where several would be needed, or where another program runs beside it. */
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
    ...(always !== "*" && always !== undefined && { pattern: always }),
  };
}

export function describe({ tool, pattern }: PermissionRule): string {
  return pattern === undefined ? tool : `${tool} ${pattern}`;
}
