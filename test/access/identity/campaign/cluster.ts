import { onTestFinished } from "vitest";
import { CairnProcess, cairnPlace } from "../../../support/cairn-process.ts";
import { letTimePass } from "../../../support/let-time-pass.ts";
import { postgresPlace } from "../../../support/postgres/postgres-place.ts";
import { RoundRobinProxy } from "../../../support/round-robin-proxy.ts";
import { TcpProxy } from "../../../support/tcp-proxy.ts";
import { CLIENT, type Company, startCompany } from "../support/company.ts";

export const SCIM_TOKEN = "a-token-of-the-directory";
export const OPERATOR = "the-installation-s-own";

interface Member {
  /** Its own network to PostgreSQL, which can break without those of the others. */
  readonly network: TcpProxy;
  process: CairnProcess;
  url: string;
}

/** Several `cairn serve` with a company's log-in on one PostgreSQL; all is gone after the test. */
export class Cluster {
  readonly company: Company;
  readonly #members: Member[] = [];
  readonly #front: RoundRobinProxy;
  readonly #database: string;
  readonly #place = cairnPlace();

  static async start(size: number): Promise<Cluster> {
    const place = postgresPlace();
    onTestFinished(() => place[Symbol.dispose]());
    const front = await RoundRobinProxy.start([]);
    const company = await startCompany([`${front.url}/oauth/callback`]);
    onTestFinished(() => company.close());
    const cluster = new Cluster(front, company, place.url);
    for (let n = 0; n < size; n += 1) await cluster.#add();
    return cluster;
  }

  private constructor(front: RoundRobinProxy, company: Company, database: string) {
    this.#front = front;
    this.company = company;
    this.#database = database;
  }

  /** One address in front of all: where people log in. */
  get url(): string {
    return this.#front.url;
  }

  /** Addresses of the servers as they are now. */
  addresses(): string[] {
    return this.#members.map(({ url }) => url);
  }

  /** Kills a server at once; another takes its place after a while. */
  async kill(index: number, restMs: number): Promise<void> {
    const member = this.#at(index);
    member.process.child.kill("SIGKILL");
    await member.process.exited;
    await letTimePass(restMs, "a fault lasts as long");
    await this.#start(member);
  }

  /** No connection of a server to PostgreSQL holds or can be made, for so long. */
  async cut(index: number, forMs: number): Promise<void> {
    const { network } = this.#at(index);
    network.cut();
    await letTimePass(forMs, "a fault lasts as long");
    network.mend();
  }

  /** Nothing arrives between a server and PostgreSQL, for so long; then all of it does. */
  async silence(index: number, forMs: number): Promise<void> {
    const { network } = this.#at(index);
    network.silence();
    await letTimePass(forMs, "a fault lasts as long");
    network.mend();
  }

  async #add(): Promise<void> {
    const network = await TcpProxy.start(Number(new URL(this.#database).port));
    onTestFinished(() => network[Symbol.asyncDispose]());
    const process = await this.#spawn(network);
    this.#members.push({ network, process, url: await process.ready() });
    this.#lead();
  }

  async #start(member: Member): Promise<void> {
    member.process = await this.#spawn(member.network);
    member.url = await member.process.ready();
    this.#lead();
  }

  #spawn(network: TcpProxy): Promise<CairnProcess> {
    return CairnProcess.start({
      place: this.#place,
      args: ["serve", "--port", "0"],
      env: {
        CAIRN_DATABASE: network.urlOf(this.#database),
        CAIRN_TOKEN: OPERATOR,
        CAIRN_IDENTITY_URL: this.url,
        CAIRN_IDENTITY_ISSUER: this.company.issuer,
        CAIRN_IDENTITY_CLIENT_ID: CLIENT.clientId,
        CAIRN_IDENTITY_CLIENT_SECRET: CLIENT.clientSecret,
        CAIRN_IDENTITY_SCIM_TOKEN: SCIM_TOKEN,
      },
    });
  }

  #lead(): void {
    this.#front.servers.splice(0, this.#front.servers.length, ...this.addresses());
  }

  #at(index: number): Member {
    const member = this.#members[index % this.#members.length];
    if (member === undefined) throw new Error("There is no server.");
    return member;
  }
}
