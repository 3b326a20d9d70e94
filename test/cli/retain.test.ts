// biome-ignore-all lint/suspicious/noThenProperty: a rule has a field of this name.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliPlace, cliPlace, runInProcess } from "../support/run-cli.ts";

const CHAT = { databases: ["shop"], labels: "area=chat", olderThan: "180d" };

function placeWith(retentionRules: object): CliPlace {
  const place = cliPlace();
  const folder = join(place.home, ".config", "cairn");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify({ retentionRules }));
  return place;
}

async function fill(place: CliPlace): Promise<void> {
  const told = (db: string, content: string, labels: string) =>
    runInProcess(place, [
      ...["remember", content, "--labels", labels, "--occurred-at", "2020-01-01", "--db", db],
    ]);
  await told("shop", "Lunch at twelve", "area=chat");
  await told("shop", "The contract of May", "area=chat,hold=case-7");
  await told("shop", "Money is in cents", "area=pay");
  await told("pay", "Lunch elsewhere", "area=chat");
}

async function contentsIn(place: CliPlace, db: string): Promise<string[]> {
  const { stdout } = await runInProcess(place, ["list", "items", "--db", db, "--json"]);
  return JSON.parse(stdout).items.map(({ id }: { id: string }) => id);
}

it("shows what each rule would take, takes it, and says how it comes back", async () => {
  const place = placeWith({ "old-chat": { ...CHAT, then: "delete" } });
  await fill(place);
  const shown = await runInProcess(place, ["retain", "--dry-run"]);
  expect(shown).toMatchObject({
    code: 0,
    stdout: "shop: old-chat would delete 1 (ep:1); 1 under a legal hold stay (ep:2 hold=case-7).\n",
  });
  expect(await contentsIn(place, "shop")).toHaveLength(3);
  const done = await runInProcess(place, ["retain"]);
  expect(done.stdout).toContain("shop: old-chat deleted 1 (ep:1)");
  const undo = /`cairn (undo change:\d+ --db shop)` takes it back/.exec(done.stdout)?.[1] ?? "";
  expect(await contentsIn(place, "shop")).toEqual(["ep:3", "ep:2"].sort().reverse());
  expect(await contentsIn(place, "pay")).toEqual(["ep:1"]);
  const log = await runInProcess(place, ["log", "--db", "shop"]);
  expect(log.stdout).toContain("rule:old-chat");
  expect((await runInProcess(place, undo.split(" "))).code).toBe(0);
  expect(await contentsIn(place, "shop")).toHaveLength(3);
});

it("asks before a purge, and needs --yes where nobody can answer", async () => {
  const place = placeWith({
    "old-chat": { ...CHAT, then: "purge" },
    "no-such": { ...CHAT, databases: ["shop", "gone"], types: ["observatoin"], then: "delete" },
  });
  await fill(place);
  const refused = await runInProcess(place, ["retain", "--rule", "old-chat"]);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("--yes");
  expect(await contentsIn(place, "shop")).toHaveLength(3);
  const done = await runInProcess(place, ["retain", "--rule", "old-chat", "--yes", "--json"]);
  expect(JSON.parse(done.stdout).rules).toMatchObject([
    { db: "shop", rule: "old-chat", did: { taken: 1, first: ["ep:1"], held: 1 } },
  ]);
  const wrong = await runInProcess(place, ["retain", "--rule", "no-such"]);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain('retentionRules.no-such.types: "observatoin"');
  expect(wrong.stdout).toContain('retentionRules.no-such.databases: there is no database "gone"');
});

it("names what is wrong with a rule, and the rules that there are", async () => {
  const none = await runInProcess(placeWith({}), ["retain"]);
  expect(none.stderr).toContain("retentionRules: there is no rule");
  const other = await runInProcess(placeWith({ "old-chat": { ...CHAT, then: "delete" } }), [
    ...["retain", "--rule", "old-cat"],
  ]);
  expect(other.stderr).toContain('Did you mean "old-chat"?');
  const bad = await runInProcess(placeWith({ "old-chat": { ...CHAT, then: "burn" } }), ["retain"]);
  expect(bad.code).not.toBe(0);
  expect(bad.stderr).toContain("retentionRules.old-chat.then");
});
