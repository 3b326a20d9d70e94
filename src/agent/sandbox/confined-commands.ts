import { homedir } from "node:os";
import { messageOf } from "../../shared/errors.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { CommandWrapper } from "../processes/command-limits.ts";
import type { AgentSettings } from "../settings.ts";
import { CREDENTIALS, credentialVariables } from "../tools/private-places.ts";
import { openSandbox, type Sandbox } from "./open-sandbox.ts";

export interface ConfinedCommandsOptions {
  readonly projectRoot: string;
  readonly userConfigDir: string;
  readonly dataDir: string;
  readonly settings: AgentSettings;
  readonly environment: Readonly<Record<string, string>>;
  readonly audit: AuditLog;
  readonly notify: (notice: string) => void;
}

/** Runs commands in the sandbox, without credentials in environment variables. */
export class ConfinedCommands {
  readonly #options: ConfinedCommandsOptions;
  readonly #variables: readonly string[];
  #sandbox: Promise<Sandbox> | undefined;

  constructor(options: ConfinedCommandsOptions) {
    this.#options = options;
    this.#variables = credentialVariables(options.environment);
  }

  open(): Promise<Sandbox> {
    this.#sandbox ??= this.#open();
    return this.#sandbox;
  }

  readonly wrap: CommandWrapper = async (command, wrapping) => {
    const { wrap } = await this.open();
    const wrapped = await wrap(command, wrapping);
    if (!(await this.isConfined())) return wrapped;
    const granted = CREDENTIALS.find(({ name }) => name === wrapping?.credential);
    const hidden = this.#variables.filter((name) => granted?.variables.test(name) !== true);
    const before = hidden.length === 0 ? "" : `unset ${hidden.join(" ")}; `;
    return { ...wrapped, command: `${before}${wrapped.command}` };
  };

  /** True if commands can write only in the project and temporary folders. */
  async isConfined(): Promise<boolean> {
    return !(await this.open()).label.startsWith("off");
  }

  #open(): Promise<Sandbox> {
    const { settings, projectRoot, userConfigDir, dataDir, environment, notify } = this.#options;
    return openSandbox({
      setting: settings.sandbox,
      permissionRules: settings.permission.rules,
      readable: settings.sandboxReads.map((path) => path.replace(/^~(?=\/|$)/, homedir())),
      ...{ projectRoot, userConfigDir, dataDir, environment },
      onNotice: notify,
      onHost: (host, isAllowed) => this.#noteHost(host, isAllowed),
    });
  }

  #noteHost(host: string, isAllowed: boolean): void {
    const { audit, notify } = this.#options;
    const written = audit.note({
      ...{ threadId: "", tool: "network", subject: host, reason: "by a command" },
      ...{ outcome: isAllowed ? "reached" : "kept from", network: isAllowed, keys: false },
    });
    void written.catch((error: unknown) => notify(`${host} was not logged: ${messageOf(error)}`));
  }
}
