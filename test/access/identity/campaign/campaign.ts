import { letTimePass } from "../../../support/let-time-pass.ts";
import { patiently } from "../../../support/patiently.ts";
import { faultsOf, NO_FAULTS } from "../../../support/stored-truth.ts";
import { logIn } from "../support/identity-server.ts";
import { type Asked, askOnce, askUntilAnswered, isOpen, type Told } from "./ask-until.ts";
import { Cluster, OPERATOR, SCIM_TOKEN } from "./cluster.ts";
import { Holder } from "./holder.ts";

const DATABASE = "shop";
const SERVERS = 3;
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
/** Writes of a newcomer after which a round goes on. */
const WELCOME = 3;
const PROMISED_MS = 60_000;

export interface CampaignReport {
  readonly rounds: number;
  readonly acknowledged: number;
  readonly faults: ReturnType<typeof faultsOf>;
  readonly ended: number;
  /** Longest time after an acknowledged ending at which a write was sent that was let in; milliseconds. */
  readonly rightKeptMs: number;
  /** The same of the feed. */
  readonly feedKeptMs: number;
  /** Who was let in more than the promised minute afterwards, or at the end. */
  readonly keptTooLong: readonly string[];
  readonly wronglyRefused: number;
  readonly oddities: readonly string[];
  /** People whom the directory made and who are not there once. */
  readonly notOnce: readonly string[];
}

export const GOOD_REPORT = {
  faults: NO_FAULTS,
  keptTooLong: [],
  wronglyRefused: 0,
  oddities: [],
  notOnce: [],
};

interface Person {
  readonly id: string;
  readonly userName: string;
  readonly holder: Holder;
}

/** How somebody may come to have no right any more; resolves when that is acknowledged. */
type Ending = "leaves" | "removed" | "out of the group" | "role taken" | "token revoked";
const ENDINGS: readonly Ending[] = [
  "leaves",
  "out of the group",
  "role taken",
  "token revoked",
  "removed",
];

/**
 * People and agents join and leave while the servers are killed and cut off: what was acknowledged must be there,
 * and whoever's right was taken away must be refused everywhere within the promised time.
 */
export class PeopleCampaign {
  readonly #cluster: Cluster;
  readonly #holders: Holder[] = [];
  readonly #people = new Map<string, boolean>();
  #group = "";

  static async start(): Promise<PeopleCampaign> {
    const campaign = new PeopleCampaign(await Cluster.start(SERVERS));
    await campaign.#prepare();
    return campaign;
  }

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Throws where a step of the directory is refused. */
  async play(rounds: number): Promise<CampaignReport> {
    for (let round = 0; round < rounds; round += 1) await this.#round(round);
    return this.#report(rounds);
  }

  async #prepare(): Promise<void> {
    const first = { content: "The memory of the shop begins" };
    await this.#api("POST", `/episodes?db=${DATABASE}`, first);
    const body = { displayName: "dev", members: [] };
    this.#group = idIn(await this.#scim("POST", "/Groups", body));
    await this.#api("POST", "/access/grant", {
      ...{ kind: "group", name: "dev", role: "write", in: [DATABASE] },
    });
  }

  async #round(round: number): Promise<void> {
    const ending = ENDINGS[round % ENDINGS.length] ?? "leaves";
    // The fault goes on while they join, and another while somebody's right is taken away.
    const joining = this.#fault(round);
    const leaver = await this.#join(round, ending);
    await joining;
    await this.#until(() => leaver.holder.acknowledged.length >= WELCOME, leaver.holder);
    const breaking = this.#fault(round + 1);
    await letTimePass(Math.random() * 400, "the moment is left to chance");
    leaver.holder.isEnding = true;
    await this.#end(leaver, ending);
    leaver.holder.endedAt = performance.now();
    await breaking;
    await this.#requireRefusedEverywhere(leaver.holder);
    if (ending === "leaves") await this.#comeBack(leaver);
    await leaver.holder.stop();
  }

  async #fault(round: number): Promise<void> {
    await letTimePass(Math.random() * 200, "the moment is left to chance");
    const server = Math.floor(Math.random() * SERVERS);
    const kinds = [
      () => this.#cluster.kill(server, Math.random() * 300),
      () => this.#cluster.cut(server, 500 + Math.random() * 1_500),
      () => this.#cluster.silence(server, 500 + Math.random() * 3_000),
      // Two of three at once.
      () => Promise.all([this.#cluster.kill(server, 0), this.#cluster.cut(server + 1, 1_000)]),
    ];
    await kinds[round % kinds.length]?.();
  }

  async #join(round: number, ending: Ending): Promise<Person> {
    if (ending === "token revoked") {
      const name = `agent-${round}`;
      const token = await this.#newToken(name);
      return { id: name, userName: name, holder: this.#hold(name, token) };
    }
    const userName = `person-${round}@example.org`;
    const account = `person-${round}`;
    this.#cluster.company.accounts[account] = { email: userName };
    const user = { userName, externalId: account, active: true };
    const id = idIn(await this.#scim("POST", "/Users", user));
    this.#people.set(userName, true);
    if (ending === "role taken") {
      await this.#api("POST", "/access/grant", {
        ...{ kind: "person", name: userName, role: "write", in: [DATABASE] },
      });
    } else {
      await this.#patchGroup({ op: "add", path: "members", value: [{ value: id }] });
    }
    return { id, userName, holder: this.#hold(userName, await this.#logIn(account)) };
  }

  #hold(name: string, token: string): Holder {
    const holder = new Holder(this.#cluster, DATABASE, name, token);
    this.#holders.push(holder);
    return holder;
  }

  async #end({ id, userName }: Person, ending: Ending): Promise<void> {
    if (ending === "leaves") await this.#setActive(id, false);
    else if (ending === "removed") {
      await this.#scim("DELETE", `/Users/${id}`);
      this.#people.set(userName, false);
    } else if (ending === "out of the group") {
      await this.#patchGroup({ op: "remove", path: `members[value eq "${id}"]` });
    } else if (ending === "role taken") {
      await this.#api("POST", "/access/revoke", { kind: "person", name: userName, in: [DATABASE] });
    } else await this.#api("DELETE", `/tokens/${id}`);
  }

  /** Whoever comes back logs in anew: what they had before opens nothing. */
  async #comeBack({ id, holder }: Person): Promise<void> {
    await this.#setActive(id, true);
    await letTimePass(1_500, "nothing may follow");
    await this.#requireRefusedEverywhere(holder);
  }

  async #setActive(id: string, value: boolean): Promise<void> {
    await this.#scim("PATCH", `/Users/${id}`, {
      ...{ schemas: [PATCH], Operations: [{ op: "replace", path: "active", value }] },
    });
  }

  async #patchGroup(operation: object): Promise<void> {
    await this.#scim("PATCH", `/Groups/${this.#group}`, {
      ...{ schemas: [PATCH], Operations: [operation] },
    });
  }

  async #newToken(name: string): Promise<string> {
    for (;;) {
      const told = await this.#ask("POST", "/tokens", { name, scope: "write" });
      if (told.status === 200) return (JSON.parse(told.text) as { token: string }).token;
      if (told.status !== 409) throw new Error(`tokens: ${told.status} ${told.text}`);
      // It was made, but nobody was told its text.
      await this.#api("DELETE", `/tokens/${name}`);
    }
  }

  async #logIn(account: string): Promise<string> {
    const deadline = performance.now() + patiently(PROMISED_MS);
    for (;;) {
      try {
        const { url, company } = this.#cluster;
        return (await logIn({ url, company }, account)).access_token;
      } catch (error) {
        // Broken off where a server was killed; begun again from the start.
        if (performance.now() > deadline) throw error;
        await letTimePass(100, "the pace of asking again");
      }
    }
  }

  /** What a directory does that got no answer: it asks again, and what is done already is done. */
  async #scim(method: string, path: string, body?: object): Promise<Told> {
    const asked = { method, path: `/scim/v2${path}`, token: SCIM_TOKEN, body };
    const told = await askUntilAnswered(this.#cluster, asked);
    if (told.status < 300 || (method === "DELETE" && told.status === 404)) return told;
    if (method === "POST" && told.status === 409) return this.#known(path, body);
    throw new Error(`${method} ${path}: ${told.status} ${told.text}`);
  }

  async #known(path: string, body: object | undefined): Promise<Told> {
    const { userName, displayName } = { userName: "", displayName: "", ...body };
    const filter =
      userName === "" ? `displayName eq "${displayName}"` : `userName eq "${userName}"`;
    const found = await this.#scim("GET", `${path}?filter=${encodeURIComponent(filter)}`);
    const [resource] = (JSON.parse(found.text) as { Resources: object[] }).Resources;
    if (resource === undefined) throw new Error(`${path}: a conflict with nobody, ${filter}`);
    return { ...found, text: JSON.stringify(resource) };
  }

  async #api(method: string, path: string, body?: object): Promise<Told> {
    const told = await this.#ask(method, path, body);
    const isGone = told.status === 404 && (method === "DELETE" || path === "/access/revoke");
    if (told.status === 200 || isGone) return told;
    throw new Error(`${method} ${path}: ${told.status} ${told.text}`);
  }

  #ask(method: string, path: string, body?: object): Promise<Told> {
    return askUntilAnswered(this.#cluster, {
      ...{ method, path: `/api/v1${path}`, token: OPERATOR, body },
    });
  }

  async #until(isSo: () => boolean, holder: Holder): Promise<void> {
    const deadline = performance.now() + patiently(PROMISED_MS);
    while (!isSo()) {
      if (performance.now() > deadline) {
        throw new Error(`${holder.name} is not let in: ${holder.oddities.join("; ")}`);
      }
      await letTimePass(20, "the pace of asking again");
    }
  }

  /** Asks each server until it refuses; one that cannot be asked refuses nobody yet. */
  async #requireRefusedEverywhere({ token, endedAt = 0 }: Holder): Promise<void> {
    const asked: Asked = { method: "GET", path: `/api/v1/stats?db=${DATABASE}`, token };
    for (let index = 0; index < SERVERS; index += 1) {
      for (;;) {
        const told = await askOnce(this.#cluster.addresses()[index] ?? "", asked);
        if (!isOpen(told) && (told.status === 401 || told.status === 403)) break;
        if (performance.now() > endedAt + PROMISED_MS) return;
        await letTimePass(50, "the pace of asking again");
      }
    }
  }

  async #report(rounds: number): Promise<CampaignReport> {
    const stillIn: string[] = [];
    for (const { name, token } of this.#holders) {
      for (const server of this.#cluster.addresses()) {
        const told = await askOnce(server, {
          ...{ method: "GET", path: `/api/v1/stats?db=${DATABASE}`, token },
        });
        if (told?.status !== 401 && told?.status !== 403) stillIn.push(`${name}: ${told?.status}`);
      }
    }
    const acknowledged = this.#holders.flatMap((holder) => holder.acknowledged);
    const { text } = await this.#api("GET", `/databases/${DATABASE}/export`);
    const kept = (at: (holder: Holder) => number) =>
      Math.max(0, ...this.#holders.map((it) => at(it) - (it.endedAt ?? 0)));
    const late = this.#holders.filter(
      ({ lastLetInAt, lastHeardAt, endedAt = 0 }) =>
        Math.max(lastLetInAt, lastHeardAt) > endedAt + PROMISED_MS,
    );
    return {
      rounds,
      acknowledged: acknowledged.length,
      faults: faultsOf(text, [{ acknowledged }]),
      ended: this.#holders.length,
      rightKeptMs: Math.round(kept(({ lastLetInAt }) => lastLetInAt)),
      feedKeptMs: Math.round(kept(({ lastHeardAt }) => lastHeardAt)),
      keptTooLong: [...stillIn, ...late.map(({ name }) => name)],
      wronglyRefused: this.#holders.reduce((sum, it) => sum + it.wronglyRefused, 0),
      oddities: this.#holders.flatMap(({ oddities }) => oddities),
      notOnce: await this.#notOnce(),
    };
  }

  async #notOnce(): Promise<string[]> {
    const counts = new Map<string, number>();
    for (let start = 1; ; ) {
      const { text } = await this.#scim("GET", `/Users?startIndex=${start}&count=100`);
      const { Resources, totalResults } = JSON.parse(text) as {
        Resources: { userName: string }[];
        totalResults: number;
      };
      for (const { userName } of Resources) counts.set(userName, (counts.get(userName) ?? 0) + 1);
      start += Resources.length;
      if (start > totalResults || Resources.length === 0) break;
    }
    const names = new Set([...this.#people.keys(), ...counts.keys()]);
    return [...names].filter(
      (name) => (counts.get(name) ?? 0) !== (this.#people.get(name) === true ? 1 : 0),
    );
  }
}

function idIn({ text }: Told): string {
  return (JSON.parse(text) as { id: string }).id;
}
