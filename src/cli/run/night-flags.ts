import { invalidInput } from "../../shared/errors.ts";

/** Options of `cairn run`, and the settings that they set. */
const SETTINGS: Readonly<Record<string, string>> = {
  hours: "unattendedHours",
  maxCost: "unattendedMaxCost",
  maxTokens: "unattendedMaxTokens",
  maxTurns: "unattendedMaxTurns",
  maxDisk: "unattendedMaxDiskMb",
  atOnce: "unattendedAtOnce",
  questions: "unattendedQuestions",
  land: "unattendedLand",
};

const OTHERS = ["db", "dataDir", "database", "provider", "model", "effort"] as const;

/** Values by setting, in the form that the config reads. */
export function nightFlags(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = Object.entries(SETTINGS).map(([option, setting]) => [setting, options[option]]);
  const others = OTHERS.map((name) => [name, options[name]]);
  return Object.fromEntries([...own, ...others, ["permissionMode", options.permission]]);
}

export function listOf(
  options: Readonly<Record<string, unknown>>,
  name: string,
): readonly string[] {
  const given = options[name];
  return Array.isArray(given) ? given.map(String) : [];
}

export function refuseMore(more: readonly string[], usage: string): void {
  if (more.length > 0) throw invalidInput(`run: write cairn run ${usage}`);
}
