import type { Connection } from "./connection.ts";
import type { ScreenPort } from "./screen-port.ts";

const OFF_BY_SETTING = "off (by setting)";

/** Known once the sandbox was tried out, which the prompt does not wait for. */
export async function sayWhatConfines(
  session: ScreenPort,
  host: Connection["host"],
): Promise<void> {
  await host.permission.settled;
  const { sandbox, permissionMode } = host.info;
  session.dispatch({ type: "status", status: { sandbox, permissionMode } });
  // Who has switched both off knows it; the status line shows it still.
  if (sandbox === OFF_BY_SETTING && permissionMode === "auto") return;
  session.note("quiet", startLine(sandbox, permissionMode));
}

/** What confines and what asks, in one line. */
function startLine(sandbox: string, mode: string): string {
  const confined = sandbox.startsWith("off")
    ? `No sandbox confines commands: ${sandbox}.`
    : `Commands are confined by ${sandbox}.`;
  return `${confined} Mode ${mode}; shift+tab changes it.`;
}
