// @module-tag long: replaces servers under load.

import { beforeEach, expect, it, onTestFinished } from "vitest";
import { CairnProcess, createCairnFolders } from "../support/cairn-process.ts";
import { EventFollower } from "../support/event-follower.ts";
import { RoundRobinProxy } from "../support/round-robin-proxy.ts";
import { startCli, waitForExit } from "../support/run-cli.ts";
import { waitUntil } from "../support/wait-until.ts";

const LIMIT = 180_000;

interface Member {
  process: CairnProcess;
  url: string;
}

let place: ReturnType<typeof createCairnFolders>;
let members: Member[];
let proxy: RoundRobinProxy;
let authorization: string;

async function serve(): Promise<Member> {
  const process = await CairnProcess.start({
    place,
    args: ["serve", "--port", "0", "--db", "team"],
    env: { CAIRN_DATA_DIR: `${place.home}/data` },
  });
  return { process, url: await process.ready() };
}

async function replace(index: number, signal: NodeJS.Signals): Promise<number | null> {
  const before = members[index];
  before?.process.child.kill(signal);
  const ended = await before?.process.exited;
  const next = await serve();
  members[index] = next;
  proxy.servers[index] = next.url;
  return ended?.code ?? null;
}

/** Writes until stopped, and retries unanswered writes with the same idempotency key. */
class Writer {
  readonly written: string[] = [];
  repeated = 0;
  isStopped = false;
  readonly done: Promise<void>;

  constructor(name: string) {
    this.done = this.#write(name);
  }

  async #write(name: string): Promise<void> {
    for (let n = 0; !this.isStopped; n += 1) {
      const content = `${name} writes ${n}`;
      while (!(await this.#send(content))) this.repeated += 1;
      this.written.push(content);
    }
  }

  async #send(content: string): Promise<boolean> {
    try {
      const response = await fetch(`${proxy.url}/api/v1/episodes`, {
        method: "POST",
        headers: {
          authorization,
          "content-type": "application/json",
          "idempotency-key": content.replaceAll(" ", "-"),
        },
        body: JSON.stringify({ content }),
      });
      const text = await response.text();
      if (response.ok) return true;
      if (response.status === 502 || response.status === 503) return false;
      throw new Error(text);
    } catch (error) {
      if (error instanceof TypeError) return false;
      throw error;
    }
  }
}

beforeEach(async () => {
  place = createCairnFolders();
  const made = await waitForExit(
    await startCli({ ...place, dataDir: `${place.home}/data` }, ["token", "create", "ada"]),
  );
  authorization = `Bearer ${made.stdout.split("\n")[0]}`;
  members = [await serve(), await serve()];
  proxy = await RoundRobinProxy.start(members.map(({ url }) => url));
}, LIMIT);

function follow(): EventFollower {
  const follower = new EventFollower(() => [proxy.url], { authorization });
  onTestFinished(() => follower.leave());
  return follower;
}

/**
 * Checks that every acknowledged write is stored once and that every follower received every event
 * once.
 */
async function expectAllOnce(writers: readonly Writer[], followers: readonly EventFollower[]) {
  const written = writers.flatMap((writer) => writer.written).sort();
  const all = Array.from(written, (_, index) => index + 1);
  for (const follower of followers) {
    await expect.poll(() => follower.seqs.at(-1), { timeout: LIMIT }).toBe(all.length);
    expect(follower.seqs).toEqual(all);
  }
  const response = await fetch(`${proxy.url}/api/v1/databases/team/export`, {
    headers: { authorization },
  });
  const episodes = (await response.text()).match(/(?<="content":")w\d writes \d+(?=")/g) ?? [];
  expect(episodes.sort()).toEqual(written);
}

it(
  "lose no request in a rolling restart, and followers see no gap",
  async () => {
    const followers = [1, 2, 3].map(follow);
    const writers = [1, 2, 3].map((n) => new Writer(`w${n}`));
    for (const index of [0, 1, 0]) {
      const before = writers.map(({ written }) => written.length);
      expect(await replace(index, "SIGTERM")).toBe(0);
      await expect
        .poll(() => writers.every(({ written }, n) => written.length > (before[n] ?? 0) + 3), {
          timeout: LIMIT,
        })
        .toBe(true);
    }
    for (const writer of writers) writer.isStopped = true;
    await Promise.all(writers.map(({ done }) => done));
    expect([proxy.broken, ...writers.map(({ repeated }) => repeated)]).toEqual([0, 0, 0, 0]);
    expect(followers.every(({ reconnects }) => reconnects > 0)).toBe(true);
    await expectAllOnce(writers, followers);
  },
  LIMIT * 2,
);

it(
  "loses at most unanswered writes when killed, and a repeated key writes once",
  async () => {
    const followers = [1, 2].map(follow);
    const writers = [1, 2, 3, 4].map((n) => new Writer(`w${n}`));
    for (const index of [0, 1]) {
      const before = writers.map(({ written }) => written.length);
      await waitUntil(
        () => writers.every(({ written }, n) => written.length > (before[n] ?? 0) + 2),
        {
          timeoutMs: 30_000,
        },
      );
      await replace(index, "SIGKILL");
    }
    for (const writer of writers) writer.isStopped = true;
    await Promise.all(writers.map(({ done }) => done));
    await expectAllOnce(writers, followers);
  },
  LIMIT * 2,
);
