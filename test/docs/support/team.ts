import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../../../src/shared/package.ts";
import { CairnProcess } from "../../support/cairn-process.ts";
import { RoundRobinProxy } from "../../support/round-robin-proxy.ts";
import { type CliResult, createCliFolders, startCli, waitForExit } from "../../support/run-cli.ts";

export function compose() {
  const text = readFileSync(join(packageRoot(), "examples/team/compose.yaml"), "utf8");
  return parse(text, { merge: true });
}

const SERVERS = ["cairn-1", "cairn-2"];

export class Team {
  readonly place = createCliFolders();
  readonly token = "the-installation-s-own";
  /** Program built last by `docker compose build`. Default: the sources. */
  image: string | undefined;
  readonly #proxy: RoundRobinProxy;
  readonly #database: string;
  readonly #further: (url: string) => Readonly<Record<string, string>>;
  readonly #servers = new Map<string, CairnProcess>();
  readonly #all: CairnProcess[] = [];
  readonly #urls = new Map<string, string>();

  private constructor(
    proxy: RoundRobinProxy,
    database: string,
    further: (url: string) => Readonly<Record<string, string>>,
  ) {
    this.#proxy = proxy;
    this.#database = database;
    this.#further = further;
  }

  /**
   * `further` returns environment lines that are commented out in the compose file, by the proxy's
   * URL.
   */
  static async on(
    database: string,
    further: (url: string) => Readonly<Record<string, string>> = () => ({}),
  ): Promise<Team> {
    return new Team(await RoundRobinProxy.start([]), database, further);
  }

  async start(): Promise<void> {
    await Promise.all(SERVERS.map((name) => this.#serve(name)));
    this.#proxy.servers.push(...this.#urls.values());
  }

  get url(): string {
    return this.#proxy.url;
  }

  get logs(): string {
    return this.#all.map(({ stdout, stderr }) => stdout + stderr).join("\n");
  }

  async replace(name: string): Promise<void> {
    const before = this.#servers.get(name);
    before?.child.kill("SIGTERM");
    expect((await before?.exited)?.code).toBe(0);
    await this.#serve(name);
    this.#proxy.servers.splice(0, this.#urls.size, ...this.#urls.values());
  }

  async exec(name: string, args: readonly string[]): Promise<CliResult> {
    const env = this.#environmentOf(name);
    const child = await startCli(this.place, args, { env, program: this.image });
    child.stdin?.end();
    return waitForExit(child);
  }

  #environmentOf(name: string): Record<string, string> {
    const input: Record<string, string> = compose().services[name].environment;
    const values: Readonly<Record<string, string>> = {
      CAIRN_TOKEN: this.token,
      CAIRN_HOST: "memory.example.org",
    };
    const filled = Object.entries(input).map(([variable, text]): [string, string] => [
      variable,
      text.replaceAll(/\$\{([A-Z_]+)[^}]*\}/g, (_all, known: string) => values[known] ?? ""),
    ]);
    return {
      ...Object.fromEntries(filled),
      CAIRN_DATABASE: this.#database,
      ...this.#further(this.url),
    };
  }

  async #serve(name: string): Promise<void> {
    const command: readonly string[] = compose().services[name].command;
    const args = command.map((word) => (word === "7433" ? "0" : word));
    const { home, project } = this.place;
    const env = this.#environmentOf(name);
    const server = await CairnProcess.start({
      place: { home, project },
      args,
      env,
      program: this.image,
    });
    this.#servers.set(name, server);
    this.#all.push(server);
    this.#urls.set(name, (await server.ready()).replace("0.0.0.0", "127.0.0.1"));
  }
}
