import { homedir } from "node:os";
import { messageOf } from "../../shared/errors.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { KeyBroker } from "../broker/key-broker.ts";
import type { Lending } from "../ports/lending.ts";
import type { CommandWrapper } from "../processes/command-wrapper.ts";
import type { AgentSettings } from "../settings.ts";
import { openSandbox, type Sandbox } from "./open-sandbox.ts";

export interface ConfinedCommandsOptions {
  readonly projectRoot: string;
  readonly userConfigDir: string;
  readonly dataDir: string;
  readonly settings: AgentSettings;
  /** Of commands: without keys. */
  readonly environment: Readonly<Record<string, string>>;
  /** Notes hosts that commands reach and keys that are used for them. */
  readonly audit: AuditLog;
  /** To the person, wherever a thread is open. */
  readonly notify: (notice: string) => void;
}

/** Runs the commands of a host in its sandbox, with what the key broker lends each of them. */
export class ConfinedCommands {
  readonly #options: ConfinedCommandsOptions;
  #keys: Promise<KeyBroker | undefined> | undefined;
  #sandbox: Promise<Sandbox> | undefined;

  constructor(options: ConfinedCommandsOptions) {
    this.#options = options;
  }

  /** Opens broker and sandbox, once; closing the sandbox closes both. */
  open(): Promise<Sandbox> {
    this.#sandbox ??= this.#openBoth();
    return this.#sandbox;
  }

  readonly wrap: CommandWrapper = async (command, wrapping) => {
    const { wrap } = await this.open();
    const broker = await this.#lender();
    if (broker === undefined) return wrap(command, wrapping);
    const lent = wrapping?.network === true ? broker.lend(command) : undefined;
    const wrapped = await wrap(`${lent?.before ?? ""}${command}`, wrapping);
    const finished = async () => {
      lent?.end();
      const said = (await wrapped.finished?.()) ?? "";
      return [said, lent === undefined && wrapping?.network ? whyNotLent(broker, command) : ""]
        .filter((part) => part !== "")
        .join("\n");
    };
    const hidden = broker.hiddenVariables;
    const before = hidden.length === 0 ? "" : `unset ${hidden.join(" ")}; `;
    return { ...wrapped, command: `${before}${wrapped.command}`, finished };
  };

  /** What cairn logs in to for a command, so that it needs no key. */
  async lending(command: string): Promise<Lending | undefined> {
    return (await this.#lender())?.lending(command);
  }

  /** Whether commands can write in the project and temporary places alone. */
  async isConfined(): Promise<boolean> {
    return !(await this.open()).label.startsWith("off");
  }

  async #lender(): Promise<KeyBroker | undefined> {
    return (await this.isConfined()) ? this.#broker() : undefined;
  }

  #broker(): Promise<KeyBroker | undefined> {
    this.#keys ??= this.#openBroker();
    return this.#keys;
  }

  async #openBroker(): Promise<KeyBroker | undefined> {
    const { settings, projectRoot, environment, audit, notify } = this.#options;
    // Without a sandbox commands have the person's keys anyway.
    if (settings.sandbox === "off") return undefined;
    try {
      return await KeyBroker.open({
        projectRoot,
        environment,
        onUse: (use) =>
          audit.note({
            ...{ threadId: "", tool: "broker", subject: use, reason: "for a command" },
            ...{ outcome: "key used", network: true, keys: false },
          }),
      });
    } catch (error) {
      notify(`Nothing logs in for commands: ${messageOf(error)}.`);
      return undefined;
    }
  }

  async #openBoth(): Promise<Sandbox> {
    const { settings, projectRoot, userConfigDir, dataDir, environment, notify } = this.#options;
    const broker = await this.#broker();
    const opened = await openSandbox({
      setting: settings.sandbox,
      permissionRules: [
        ...settings.permission.rules,
        ...(broker === undefined ? [] : [{ ...OWN_PORT, pattern: `localhost:${broker.port}` }]),
      ],
      readable: settings.sandboxReads.map((path) => path.replace(/^~(?=\/|$)/, homedir())),
      projectRoot,
      userConfigDir,
      dataDir,
      environment,
      onNotice: notify,
      onHost: (host, isAllowed) => this.#noteHost(host, isAllowed),
    });
    const close = async () => {
      await Promise.all([broker?.close(), opened.close()]);
    };
    return { ...opened, close };
  }

  #noteHost(host: string, isAllowed: boolean): void {
    const { audit, notify } = this.#options;
    const noted = audit.note({
      ...{ threadId: "", tool: "network", subject: host, reason: "by a command" },
      ...{ outcome: isAllowed ? "reached" : "kept from", network: isAllowed, keys: false },
    });
    void noted.catch((error: unknown) => notify(`${host} was not noted: ${messageOf(error)}`));
  }
}

/** For the model, which can run the one that logs in by itself. */
function whyNotLent(broker: KeyBroker, command: string): string {
  const { beside, kinds = [] } = broker.lending(command) ?? {};
  if (beside === undefined) return "";
  return `Nothing logged in for ${kinds.join(" and ")} here, since \`${beside}\` runs beside it: run that by itself first.`;
}

const OWN_PORT = { tool: "network", action: "allow" } as const;
