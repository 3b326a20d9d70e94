/** Git refreshes its index, asks a monitor and runs hooks even when it only shows a state. */
const SHUT = [
  ["diff.autoRefreshIndex", "false"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
] as const;

/** The environment of commands that only read: git leaves its index as it is and runs nothing. */
export function readingEnvironment(
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = Number.parseInt(environment.GIT_CONFIG_COUNT ?? "0", 10) || 0;
  const settings = SHUT.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${given + index}`, key],
    [`GIT_CONFIG_VALUE_${given + index}`, value],
  ]);
  return {
    ...environment,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(given + SHUT.length),
  };
}
