import { invalidInput } from "../../shared/errors.ts";
import type { AgentSettings } from "../settings.ts";
import type { PermissionRule } from "./permission-types.ts";

/** Adds rules for a list such as `edit, shell(npm test *)`. Throws invalid_input. */
export function withAllowedTools<Settings extends Pick<AgentSettings, "permission">>(
  settings: Settings,
  list: string | undefined,
): Settings {
  if (list === undefined) return settings;
  const { rules } = settings.permission;
  const denials = rules.filter(({ action }) => action === "deny");
  const permission = { ...settings.permission, rules: [...rules, ...readList(list), ...denials] };
  return { ...settings, permission };
}

const ENTRY_PATTERN = /^([\w*-]+)(?:\((.+)\))?$/s;

function readList(list: string): readonly PermissionRule[] {
  const entries = list
    .split(/,(?![^(]*\))/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (entries.length === 0) throw invalidInput('--allowed-tools: name tools, as in "read, edit".');
  return entries.map((entry) => {
    const [, tool, pattern] = ENTRY_PATTERN.exec(entry) ?? [];
    if (tool === undefined) {
      throw invalidInput(
        `--allowed-tools: "${entry}" is neither a tool nor tool(pattern), such as shell(npm test *).`,
      );
    }
    return { tool, action: "allow" as const, ...(pattern !== undefined && { pattern }) };
  });
}
