import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { createApp } from "../../src/app/index.ts";
import { sweepContradictionsRegularly } from "../../src/app/sweep-contradictions.ts";
import type { MemoryStore } from "../../src/memory/index.ts";
import type { Logger } from "../../src/shared/logger.ts";
import { type CliPlace, cliPlace } from "../support/run-cli.ts";
import { placeVariables } from "../support/test-place.ts";

const MINUTE_MS = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

function appOf(place: CliPlace, { layers = "team", lines = [] as string[] } = {}) {
  const note = (line: string) => void lines.push(line);
  const logger: Logger = { info: note, warn: note, error: note };
  const app = createApp({
    env: {
      HOME: place.home,
      ...placeVariables(place.dataDir),
      CAIRN_EMBEDDING_PROVIDER: "none",
      CAIRN_LAYERS: layers,
    },
    cwd: place.project,
    logger,
    flags: {},
    reader: "person",
  });
  onTestFinished(() => app.close());
  return app;
}

/** Only the timer of the rounds is the test's own: what they do takes the time that it takes. */
function startSweeping(app: ReturnType<typeof appOf>): () => Promise<void> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  return sweepContradictionsRegularly(app);
}

const say = (store: MemoryStore, db: string, content: string) =>
  store.open(db).execute("remember", { content, episode_type: "fact" });

const labels = async (store: MemoryStore, db: string, id = "ep:1") =>
  (await store.open(db).execute("get_episode", { episode_id: id })).labels.map(
    ({ value }) => value,
  );

it("looks in all databases at the start, and after a minute in those that are used", async () => {
  const place = cliPlace();
  const before = appOf(place).store;
  for (const db of ["used", "unused"]) await say(before, db, "Deploys are on Fridays");
  await say(before, "team", "Deploys are on Mondays");
  await before.close();
  const app = appOf(place);
  const stop = startSweeping(app);
  const elsewhere = appOf(place).store;
  await expect.poll(() => labels(elsewhere, "unused")).toEqual(["team/ep:1"]);
  await expect.poll(() => labels(elsewhere, "used")).toEqual(["team/ep:1"]);
  await say(app.store, "team", "Deploys are on Sundays");
  vi.advanceTimersByTime(MINUTE_MS - 1);
  await say(app.store, "team", "Nobody works on Sundays");
  expect(await labels(elsewhere, "used")).toEqual(["team/ep:1"]);
  vi.advanceTimersByTime(1);
  await expect.poll(() => labels(elsewhere, "used")).toEqual(["team/ep:1", "team/ep:2"]);
  await stop();
  await say(app.store, "team", "Deploys are on Tuesdays");
  vi.advanceTimersByTime(MINUTE_MS);
  await say(app.store, "team", "Nobody works on Tuesdays");
  expect(await labels(elsewhere, "used")).toHaveLength(2);
});

it("looks in those that nobody uses once an hour", async () => {
  const place = cliPlace();
  const app = appOf(place);
  const listing = vi.spyOn(app.store, "list");
  const looking = vi.spyOn(app.store, "inUse");
  const stop = startSweeping(app);
  await expect.poll(() => listing.mock.settledResults).toMatchObject([{ type: "fulfilled" }]);
  const elsewhere = appOf(place).store;
  await say(elsewhere, "unused", "The office closes at five");
  await say(elsewhere, "team", "The office closes at six");
  vi.advanceTimersByTime(59 * MINUTE_MS);
  await expect.poll(() => looking.mock.calls.length).toBe(59);
  expect(listing.mock.calls).toHaveLength(1);
  expect(await labels(elsewhere, "unused")).toEqual([]);
  vi.advanceTimersByTime(MINUTE_MS);
  await expect.poll(() => labels(elsewhere, "unused")).toEqual(["team/ep:1"]);
  expect(listing.mock.calls).toHaveLength(2);
  await stop();
});

it("says what failed and goes on at its next time", async () => {
  const place = cliPlace();
  const lines: string[] = [];
  const app = appOf(place, { lines });
  await say(app.store, "used", "Deploys are on Fridays");
  const listing = vi.spyOn(app.store, "list").mockRejectedValueOnce(new Error("no such place"));
  const stop = startSweeping(app);
  await expect.poll(() => lines.join()).toContain("was not looked for: no such place");
  listing.mockRestore();
  await say(app.store, "team", "Deploys are on Mondays");
  vi.advanceTimersByTime(MINUTE_MS);
  await expect.poll(() => labels(app.store, "used")).toEqual(["team/ep:1"]);
  await stop();
});

it("does nothing where there are no layers", async () => {
  const place = cliPlace();
  const app = appOf(place, { layers: "" });
  const listing = vi.spyOn(app.store, "list");
  const stop = startSweeping(app);
  vi.advanceTimersByTime(MINUTE_MS);
  await stop();
  expect([listing.mock.calls, vi.getTimerCount()]).toEqual([[], 0]);
});
