// @module-tag long: a server near its file descriptor limit.

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { CairnProcess, createCairnFolders } from "../support/cairn-process.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Number of additional files that may be open; one new database each. */
const LEFT = Array.from({ length: 16 }, (_, n) => n + 1);

const LOOK_MS = 50;
const LOOKS_AT_REST = 4;

/** Waits until the server stops opening and closing files in the background. */
async function settled(pid: number): Promise<void> {
  let [last, looks] = [-1, 0];
  const isAtRest = () => {
    const open = readdirSync(`/proc/${pid}/fd`).length;
    looks = open === last ? looks + 1 : 0;
    last = open;
    return looks === LOOKS_AT_REST;
  };
  await waitUntil(isAtRest, { intervalMs: LOOK_MS });
}

interface Body {
  readonly error?: { readonly code: string };
  readonly episodes?: { readonly total: number };
}

const bodyOf = async (answer: Response) => (await answer.json()) as Body;

it.runIf(process.platform === "linux")(
  "responds busy when file descriptors run out, and loses nothing",
  async () => {
    const server = await CairnProcess.start({
      place: createCairnFolders(),
      args: ["serve", "--port", "0"],
    });
    const url = await server.ready();
    const pid = Number(server.child.pid);
    const allow = (files: number) =>
      execFileSync("prlimit", ["--pid", String(pid), `--nofile=${files}:`]);
    const write = (name: string) =>
      fetch(`${url}/api/v1/episodes?db=${name}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ content: `note of ${name}` }),
      });
    const names = LEFT.map((left) => `place${left}`);
    expect((await write("first")).status).toBe(200);
    const stored: string[] = [];
    const refused: unknown[] = [];
    const unanswered: string[] = [];
    for (const [at, name] of names.entries()) {
      // Background work must not open or close a file between counting and writing.
      await settled(pid);
      allow(readdirSync(`/proc/${pid}/fd`).length + (LEFT[at] ?? 0));
      // A new connection may get no response; the outcome of that write is unknown.
      const answer = await write(name).catch(() => undefined);
      if (answer === undefined) unanswered.push(name);
      else if (answer.status === 200) stored.push(name);
      else refused.push([answer.status, (await bodyOf(answer)).error?.code]);
    }
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(String))).toEqual(new Set(["503,busy"]));
    allow(1024);
    for (const name of ["first", ...names].filter((it) => !unanswered.includes(it))) {
      const answer = await fetch(`${url}/api/v1/stats?db=${name}`);
      const total = answer.status === 404 ? 0 : (await bodyOf(answer)).episodes?.total;
      expect([name, total]).toEqual([name, name === "first" || stored.includes(name) ? 1 : 0]);
    }
    for (const name of names) expect((await write(name)).status).toBe(200);
  },
  180_000,
);
