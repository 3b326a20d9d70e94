import { childEnvironment, type Environment } from "../processes/child-environment.ts";
import type { AgentSettings } from "../settings.ts";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxPaths } from "./sandbox-rules.ts";

export interface ConfinementQuery extends SandboxPaths {
  readonly settings: Pick<AgentSettings, "sandbox" | "permission">;
  readonly environment: Environment;
}

/** Tries out the sandbox: `bubblewrap`, `Seatbelt`, or `off (why)`. */
export async function findConfinement(question: ConfinementQuery): Promise<string> {
  const { settings, environment, ...places } = question;
  const sandbox = await openSandbox({
    ...places,
    isTrial: true,
    setting: settings.sandbox,
    permissionRules: settings.permission.rules,
    environment: childEnvironment(environment),
  });
  await sandbox.close();
  return sandbox.label;
}
