import { isPlainObject } from "../shared/json.ts";
import type { LayeredValue, SettingLayer } from "./setting-layer.ts";

export const RULES = "permission.rules";

export interface RuleLayers {
  readonly user: SettingLayer;
  readonly project: SettingLayer;
  readonly given: SettingLayer;
  readonly isTrusted: boolean;
}

/**
 * Rules of all places one after the other, the user's first, because the last that matches wins.
 * Those of a project that is not trusted can make an answer stricter and nothing else.
 */
export function combinedRules(layers: RuleLayers): LayeredValue | undefined {
  const { user, project, given, isTrusted } = layers;
  const theirs = rulesOf(project).map((rule) =>
    isTrusted || !isPlainObject(rule) ? rule : { ...rule, tightens: true },
  );
  const value = [...rulesOf(user), ...theirs, ...rulesOf(given)];
  const last = given.get(RULES) ?? project.get(RULES) ?? user.get(RULES);
  return last === undefined ? undefined : { value, source: last.source };
}

function rulesOf(layer: SettingLayer): readonly unknown[] {
  const rules = layer.get(RULES)?.value;
  return Array.isArray(rules) ? rules : [];
}
