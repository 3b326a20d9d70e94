// biome-ignore-all lint/suspicious/noThenProperty: a rule has a field of this name.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { followRulesDaily } from "../../src/app/follow-rules.ts";
import { createApp, followRules } from "../../src/app/index.ts";
import type { Logger } from "../../src/shared/logger.ts";
import { patiently } from "../support/patiently.ts";
import { type CliPlace, cliPlace, startCli } from "../support/run-cli.ts";
import { placeVariables } from "../support/test-place.ts";

function appOf(place: CliPlace, lines: string[]) {
  const note = (line: string) => void lines.push(line);
  const logger: Logger = { info: note, warn: note, error: note };
  const app = createApp({
    env: { HOME: place.home, ...placeVariables(place.dataDir), CAIRN_EMBEDDING_PROVIDER: "none" },
    cwd: place.project,
    logger,
    flags: {},
    reader: "person",
  });
  onTestFinished(() => app.close());
  return app;
}

it("two servers on the same databases follow a rule once a day, and say what it did", async () => {
  const place = cliPlace();
  const folder = join(place.home, ".config", "cairn");
  mkdirSync(folder, { recursive: true });
  const rule = { databases: ["default", "gone"], types: "observation", olderThan: "1y" };
  const retentionRules = { old: { ...rule, then: "delete" } };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ retentionRules }));
  const lines: string[] = [];
  const [a, b] = [appOf(place, lines), appOf(place, lines)];
  const memory = a.store.open("default");
  await memory.execute("remember", { content: "Lunch at twelve", occurred_at: "2020-01-01" });
  await memory.execute("remember", { content: "Lunch now" });
  await Promise.all([a, b].map((app) => followRulesDaily(app)()));
  expect(lines.filter((line) => line.includes("the rule old"))).toEqual([
    "default: the rule old deleted 1 items",
  ]);
  expect(lines.join("\n")).toContain('retentionRules.old.databases: there is no database "gone"');
  const { changes } = await memory.execute("changes", {});
  expect(changes.filter(({ operation }) => operation === "retain")).toMatchObject([
    { author: "rule:old" },
  ]);
  const again = await followRules(b, { daily: true });
  expect(again.map(({ did }) => did?.skipped)).toEqual([true, undefined]);
});

it("`cairn serve` follows them by itself", async () => {
  const place = cliPlace();
  const folder = join(place.home, ".config", "cairn");
  mkdirSync(folder, { recursive: true });
  const retentionRules = { old: { types: "observation", olderThan: "1y", then: "delete" } };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ retentionRules }));
  const memory = appOf(place, []).store.open("default");
  await memory.execute("remember", { content: "Lunch at twelve", occurred_at: "2020-01-01" });
  await memory.execute("remember", { content: "Lunch now" });
  await startCli(place, ["serve"], { env: { CAIRN_PORT: "0" } });
  const left = async () => (await memory.execute("list_episodes", {})).episodes.map(({ id }) => id);
  await expect.poll(left, { timeout: patiently(15_000) }).toEqual(["ep:2"]);
});
