import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isThisMachine } from "../sandbox/is-this-machine.ts";
import type { SandboxRules } from "../sandbox/sandbox-messages.ts";
import { temporaryFor } from "../sandbox/temporary-files.ts";
import { helperRules } from "./helper-rules.ts";
import { matchesHost, ownPorts } from "./host-filter.ts";
import { type HostProxy, startHostProxy } from "./host-proxy.ts";
import type { OwnHelper } from "./own-helper.ts";

export interface WishedCommand {
  /** With what goes before it. */
  readonly command: string;
  readonly readOnly: boolean;
  readonly keys: boolean;
  readonly scope: string;
  readonly kept: readonly string[];
}

export interface OwnConfinementOptions {
  readonly helper: OwnHelper;
  readonly rules: SandboxRules;
  /** Of this process alone; commands do not read it. */
  readonly folder: string;
  /** Where commands look for the machine's temporary files. */
  readonly shared: string;
  /** Absolute: `bash`, where there is one. */
  readonly shell: string;
  readonly onHost: (host: string, isAllowed: boolean) => void;
}

/** Confines commands by cairn's own helper, and other hosts by a proxy of this process. */
export class OwnConfinement {
  readonly #options: OwnConfinementOptions;
  #proxy: HostProxy | undefined;
  #count = 0;

  constructor(options: OwnConfinementOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { rules, onHost, folder } = this.#options;
    mkdirSync(folder, { mode: 0o700 });
    const { allow, isOpen } = rules.network;
    this.#proxy = await startHostProxy({
      allows: (host, port) =>
        allow.some((pattern) => matchesHost(pattern, host, port)) ||
        (isOpen && !isThisMachine(host)),
      onHost,
    });
  }

  /** What `sh -c` is given. */
  wrap({ command, scope, ...wish }: WishedCommand): string {
    const { helper, rules, folder, shared, shell } = this.#options;
    const proxy = this.#proxy;
    if (proxy === undefined) throw new Error("The proxy of the sandbox is not there.");
    const place = rules.temporary === undefined ? undefined : temporaryFor(scope, rules.temporary);
    const records = helperRules({
      ...wish,
      temporary: place === undefined ? undefined : { place, shared },
      filesystem: rules.filesystem,
      namespaces: helper.namespaces,
      ports: [proxy.port, ...ownPorts(rules.network.allow)],
    });
    this.#count += 1;
    const file = join(folder, `rules-${this.#count}`);
    writeFileSync(file, records.map((record) => `${record}\0`).join(""), {
      mode: 0o600,
      flag: "wx",
    });
    const elsewhere = helper.namespaces && place !== undefined ? shared : place;
    const settings = Object.entries({ ...proxyVariables(proxy), ...temporaryVariables(elsewhere) });
    const set = settings.map(([name, value]) => `${name}=${quoted(value)}`).join(" ");
    const words = [helper.path, "--run", file, "--", shell, "-c", command];
    return `export ${set}; exec ${words.map(quoted).join(" ")}`;
  }

  async close(): Promise<void> {
    await this.#proxy?.close();
    rmSync(this.#options.folder, { recursive: true, force: true });
  }
}

/** What belongs to the machine is reached directly, or is not there. */
function proxyVariables({ port, login }: HostProxy): Readonly<Record<string, string>> {
  const address = `http://${login}@127.0.0.1:${port}`;
  const direct = "localhost,127.0.0.1,::1";
  return {
    ...{ HTTP_PROXY: address, HTTPS_PROXY: address, ALL_PROXY: address, NO_PROXY: direct },
    ...{ http_proxy: address, https_proxy: address, all_proxy: address, no_proxy: direct },
    ...{ NODE_USE_ENV_PROXY: "1", SANDBOX_RUNTIME: "1" },
  };
}

function temporaryVariables(place: string | undefined): Readonly<Record<string, string>> {
  return place === undefined ? {} : { TMPDIR: place, TMP: place, TEMP: place };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
