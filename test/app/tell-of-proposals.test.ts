import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createApp, tellOfProposals } from "../../src/app/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { type CliPlace, cliPlace, runInProcess } from "../support/run-cli.ts";
import { placeVariables } from "../support/test-place.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A channel that takes messages, and answers as it is told. */
async function channel() {
  const messages: string[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const status = answers.shift() ?? 200;
      if (status === 200) messages.push(JSON.parse(body).text);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { messages, answers, url: `http://127.0.0.1:${port}/hook` };
}

function appOf(place: CliPlace, deciding: object, more: object = {}) {
  const folder = join(place.home, ".config", "cairn");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify({ deciding, ...more }));
  const env = {
    HOME: place.home,
    ...placeVariables(place.dataDir),
    CAIRN_EMBEDDING_PROVIDER: "none",
  };
  const app = createApp({
    env,
    cwd: place.project,
    logger: silentLogger,
    flags: {},
    reader: "person",
  });
  onTestFinished(() => app.close());
  return app;
}

it("tells of what is new once, and once a day of all that still waits", async () => {
  const [place, hook] = [cliPlace(), await channel()];
  const app = appOf(place, { webhook: hook.url, owners: ["type:decision bruno"] });
  const memory = app.store.open();
  await memory.execute("remember", { content: "A private remark" });
  const now = new Date();
  await tellOfProposals(app, now);
  expect(hook.messages).toEqual([]);
  await memory.execute("propose", { content: "We deploy on Tuesdays", episode_type: "decision" });
  await tellOfProposals(app, now);
  expect(hook.messages).toEqual([
    expect.stringContaining("proposal:1 decision: We deploy on Tuesdays"),
  ]);
  expect(hook.messages.join()).toContain("for bruno to decide");
  await tellOfProposals(app, now);
  expect(hook.messages).toHaveLength(1);
  await memory.execute("propose", { content: "We use pnpm", episode_type: "decision" });
  await tellOfProposals(app, now);
  expect(hook.messages[1]).not.toContain("Tuesdays");
  await tellOfProposals(app, new Date(now.getTime() + DAY_MS + 1000));
  expect(hook.messages[2]).toContain("2 proposals wait");
  expect(hook.messages.join()).not.toContain("private remark");
});

it("posts later, in order, what the channel did not take", async () => {
  const [place, hook] = [cliPlace(), await channel()];
  const app = appOf(place, { webhook: hook.url });
  hook.answers.push(503, 429);
  await app.store.open().execute("propose", { content: "First" });
  await tellOfProposals(app);
  await app.store.open().execute("propose", { content: "Second" });
  await tellOfProposals(app);
  expect(hook.messages).toEqual([]);
  await tellOfProposals(app);
  expect(hook.messages).toEqual([
    expect.stringContaining("First"),
    expect.stringContaining("Second"),
  ]);
});

it("a rule accepts what fits it and contradicts nothing, and says that it did", async () => {
  const place = cliPlace();
  const app = appOf(place, { accept: [{ types: ["fact"], by: ["ci"] }] });
  const memory = app.store.open();
  const about = { episode_type: "fact", entities: "tool:node" } as const;
  await memory.execute("propose", { content: "Node 22 is in use", asserted_by: "ci", ...about });
  await memory.execute("propose", { content: "Node is slow", asserted_by: "ada", ...about });
  await tellOfProposals(app);
  const { proposals } = await memory.execute("list_proposals", { status: "all" });
  expect(proposals.map(({ id, status, decided_by: by }) => [id, status, by])).toEqual([
    ["proposal:2", "open", null],
    ["proposal:1", "accepted", "rule"],
  ]);
  await memory.execute("propose", { content: "Node 24 is in use", asserted_by: "ci", ...about });
  await tellOfProposals(app);
  const { proposals: open } = await memory.execute("list_proposals", {});
  expect(open.map(({ id }) => id)).toContain("proposal:3");
});

it("digest says at the shell what waits, for how long, and against what", async () => {
  const place = cliPlace();
  const cairn = (...args: string[]) => runInProcess(place, args);
  expect((await cairn("digest")).stdout).toBe("Nothing waits for a decision.\n");
  await cairn("remember", "Node 22 is in use", "-t", "fact", "-e", "tool:node");
  await cairn("propose", "Node 24 is in use", "-t", "fact", "--entities", "tool:node");
  expect((await cairn("digest")).stdout).toContain(
    "proposal:1 fact: Node 24 is in use (against fact:1)",
  );
  expect(JSON.parse((await cairn("digest", "--json")).stdout)).toMatchObject({
    waiting: [{ id: "proposal:1", against: ["fact:1"], days: 0 }],
  });
});

it("posts nothing of what is private, where layers stand behind it", async () => {
  const [place, hook] = [cliPlace(), await channel()];
  const app = appOf(place, { webhook: hook.url }, { layers: ["team"] });
  const propose = (db: string | undefined, content: string) =>
    app.store.open(db).execute("propose", { content, episode_type: "decision" });
  await propose(undefined, "I would rather work for somebody else");
  await propose("team", "We deploy on Tuesdays");
  await tellOfProposals(app);
  await tellOfProposals(app, new Date(Date.now() + 2 * DAY_MS));
  expect(hook.messages.join()).toContain("We deploy on Tuesdays");
  expect(hook.messages.join()).not.toContain("somebody else");
});
