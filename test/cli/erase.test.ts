import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliPlace, cliPlace, runInProcess } from "../support/run-cli.ts";

const WRITTEN = "Invoices go out on Mondays";
const ABOUT = "Zanzibarina owns billing";
const ALL = ["--person", "Zanzibarina", "--entity", "person:Zanzibarina"];

async function run(place: CliPlace, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(place, args);
  expect({ code, stderr }, args.join(" ")).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** Two databases that know of a person, a third one in the bin, and a backup. */
async function spread(): Promise<CliPlace> {
  const place = cliPlace();
  await run(place, "remember", WRITTEN, "--asserted-by", "Zanzibarina");
  await run(place, "remember", ABOUT, "--entities", "person:Zanzibarina");
  await run(place, "remember", "Bob said this", "--asserted-by", "Bob");
  await run(place, "db", "copy", "default", "second");
  await run(place, "db", "copy", "default", "doomed");
  await run(place, "db", "delete", "doomed");
  await run(place, "db", "backup", "default", "kept.db");
  return place;
}

it("shows what would go, and forgets nothing without a yes", async () => {
  const place = await spread();
  expect(await run(place, "erase", ...ALL, "--dry-run")).toMatch(
    /^default: would erase 2 episodes, 1 change\.\n$/,
  );
  const refused = await runInProcess(place, ["erase", ...ALL]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  const nameless = await runInProcess(place, ["erase", "--yes"]);
  expect(nameless).toMatchObject({ code: 2, stderr: expect.stringContaining("--person") });
  expect(await run(place, "show", "ep:1")).toContain(WRITTEN);
});

it("proves what is gone from every database, and names copies that it does not reach", async () => {
  const place = await spread();
  const { code, stdout } = await runInProcess(place, [
    ...["erase", ...ALL, "--everywhere", "--yes", "--json"],
  ]);
  const proof = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(proof.databases).toMatchObject([
    { db: "default", erased: { episodes: 2, changes: 1 }, held: [], remains: [] },
    { db: "second", erased: { episodes: 2, changes: 1 }, held: [], remains: [] },
  ]);
  expect(proof.databases[0].kept_elsewhere.join("\n")).toMatch(/kept\.db/);
  const kinds = proof.verified.found.map(({ kind }: { kind: string }) => kind);
  expect({ ...proof.verified, found: kinds.sort() }).toMatchObject({
    words: 2,
    unread: [],
    found: ["backup", "bin"],
  });
  rmSync(join(place.dataDir, "bin"), { recursive: true });
  rmSync(join(place.project, "kept.db"));
  for (const db of ["default", "second"]) {
    expect(await run(place, "list", "episodes", "--db", db)).not.toMatch(/Zanzibarina|Invoices/);
    expect(await run(place, "show", "ep:3", "--db", db)).toContain("Bob said this");
  }
  expect(await run(place, "purge", "--verify", "Zanzibarina", "--everywhere")).toMatch(/No byte/);
});

it("tells people what stays under a hold, and where the name still stands", async () => {
  const place = cliPlace();
  await run(place, "remember", WRITTEN, "--asserted-by", "Zanzibarina");
  await run(place, "remember", "The fax is unplugged", "--asserted-by", "Zanzibarina");
  await run(place, "remember", "Ask Zanzibarina about billing", "--asserted-by", "Bob");
  await run(place, "label", "ep:1", "hold=case-7");
  const told = await run(place, "erase", "--person", "Zanzibarina", "--yes");
  expect(told).toContain("default: would erase 1 episode.\n");
  expect(told).toContain("default: erased 1 episode.\n");
  expect(told).toContain("default: ep:1 stays: it is under a legal hold (hold=case-7).\n");
  expect(told).toMatch(/Looked for 1 line of what was erased, and for the name, in \d+ files/);
  expect(told).toMatch(/The name still stands in default\.db: at byte \d+\./);
  expect(told).toContain("Nothing of what was erased is left there.\n");
  expect(await run(place, "show", "ep:1")).toContain(WRITTEN);
});
