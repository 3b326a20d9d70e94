import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { messageOf } from "../../shared/errors.ts";
import type { Lending } from "../ports/lending.ts";
import { CargoDoor } from "./cargo-door.ts";
import { cargoRegistries, cargoTokenVariables } from "./cargo-registries.ts";
import type { Door } from "./door.ts";
import { GitDoor } from "./git-door.ts";
import { gitRemotes } from "./git-remotes.ts";
import { LENT_KINDS, type LentKind, lentPrograms } from "./lent-programs.ts";
import { NpmDoor } from "./npm-door.ts";
import { npmRegistry } from "./npm-login.ts";
import { PipDoor } from "./pip-door.ts";
import { PIP_VARIABLES, pipIndexes } from "./pip-indexes.ts";

export interface KeyBrokerOptions {
  readonly projectRoot: string;
  /** In which the person's git is asked; without keys of model services. */
  readonly environment: Readonly<Record<string, string>>;
  /** Before each use of a key: rejects where it cannot be noted, and then it is not used. */
  readonly onUse: (use: string) => Promise<void>;
}

/** What one command may do by the broker, as long as it runs. */
interface Grant {
  readonly kinds: readonly LentKind[];
  /** It sends to others, which a person or a rule allowed. */
  readonly publishes: boolean;
}

export interface Lent {
  /** Shell text that goes before the command. */
  readonly before: string;
  /** The command has ended: nothing more is lent to it. */
  end(): void;
}

/**
 * Logs in for commands in the sandbox, which never see with what: they reach it at an address of this
 * machine, good for one command, and it asks the project's remotes and the person's registries with the
 * person's keys. Which these are was read before the agent did anything.
 */
export class KeyBroker {
  readonly #options: KeyBrokerOptions;
  readonly #server: Server;
  readonly #grants = new Map<string, Grant>();
  readonly #doors: ReadonlyMap<LentKind, Door>;
  /** Every remote is reached by it. */
  readonly #coversGit: boolean;
  /** Variables with log-ins, which commands in a sandbox do not get. */
  readonly hiddenVariables: readonly string[];

  private constructor(
    options: KeyBrokerOptions,
    doors: ReadonlyMap<LentKind, Door>,
    coversGit: boolean,
  ) {
    this.#options = options;
    this.#doors = doors;
    this.#coversGit = coversGit;
    this.hiddenVariables = [
      ...(doors.has("pip") ? PIP_VARIABLES : []),
      ...cargoTokenVariables(options.environment),
    ].filter((name) => name in options.environment);
    this.#server = createServer((asked, answer) => {
      void this.#serve(asked, answer).catch((error: unknown) => {
        if (answer.headersSent) {
          answer.destroy();
          return;
        }
        answer.writeHead(403, { "content-type": "text/plain" });
        answer.end(`${messageOf(error)}\n`);
      });
    });
  }

  /** Undefined where there is nothing to log in to. */
  static async open(options: KeyBrokerOptions): Promise<KeyBroker | undefined> {
    const { environment } = options;
    const [found, registry, indexes, registries] = await Promise.all([
      gitRemotes(options.projectRoot),
      npmRegistry(),
      pipIndexes(environment),
      cargoRegistries(environment),
    ]);
    const doors = new Map<LentKind, Door>();
    if (found.remotes.length > 0) doors.set("git", new GitDoor(found.remotes, environment));
    if (registry !== undefined) doors.set("npm", new NpmDoor(registry));
    if (indexes !== undefined) doors.set("pip", new PipDoor(indexes));
    if (registries.length > 0) doors.set("cargo", new CargoDoor(registries));
    if (doors.size === 0) return undefined;
    const broker = new KeyBroker(options, doors, found.remotes.length > 0 && !found.hasOthers);
    await new Promise<void>((resolve) => broker.#server.listen(0, "127.0.0.1", resolve));
    broker.#server.unref();
    return broker;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Undefined: no program of the command logs in. */
  lending(command: string): Lending | undefined {
    const programs = lentPrograms(command);
    if (programs === undefined) return undefined;
    const { beside, publishes } = programs;
    const kinds = programs.kinds.filter((kind) => this.#doors.get(kind)?.lead("", publishes));
    if (kinds.length === 0) return undefined;
    const coversGit = kinds.includes("git") && this.#coversGit;
    return { kinds, beside, coversGit };
  }

  /** For a command that was allowed to reach the network; undefined: it is none that logs in. */
  lend(command: string): Lent | undefined {
    const programs = lentPrograms(command);
    if (programs === undefined || programs.beside !== undefined) return undefined;
    const { kinds, publishes } = programs;
    const token = randomBytes(24).toString("hex");
    const parts = kinds.map((kind) =>
      this.#doors.get(kind)?.lead(`${this.#addressOf(token)}/${kind}`, publishes),
    );
    const before = parts.join("");
    if (before === "") return undefined;
    this.#grants.set(token, { kinds, publishes });
    return { before, end: () => void this.#grants.delete(token) };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #addressOf(token: string): string {
    return `http://localhost:${this.port}/${token}`;
  }

  async #serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(asked.url ?? "", "http://localhost");
    const [, token = "", name, path = ""] = /^\/([0-9a-f]{48})\/(\w+)\/(.*)$/.exec(pathname) ?? [];
    const grant = this.#grants.get(token);
    if (grant === undefined) throw new Error("This address was for a command that has ended.");
    const kind = LENT_KINDS.find((one) => one === name && grant.kinds.includes(one));
    const door = kind === undefined ? undefined : this.#doors.get(kind);
    if (door === undefined) throw new Error("This command was lent no such log-in.");
    const given = await door.answer({
      ...{ path, search, headers: asked.headers, body: asked, method: asked.method ?? "GET" },
      publishes: grant.publishes,
      address: `${this.#addressOf(token)}/${kind}`,
      note: this.#options.onUse,
    });
    answer.writeHead(given.status, { ...given.headers });
    if (!(given.body instanceof Readable)) {
      answer.end(given.body);
      return;
    }
    const { body } = given;
    body.once("error", () => answer.destroy());
    answer.once("close", () => body.destroy());
    body.pipe(answer);
  }
}
