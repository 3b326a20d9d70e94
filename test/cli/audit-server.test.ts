import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CairnProcess } from "../support/cairn-process.ts";
import { patiently } from "../support/patiently.ts";
import { cliPlace, runInProcess } from "../support/run-cli.ts";

it(
  "shows, filters, exports and checks what a server noted, also after it was killed",
  async () => {
    const place = cliPlace();
    const file = join(place.home, "log/audit.jsonl");
    const config = join(place.home, ".config/cairn");
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.json"), JSON.stringify({ audit: { file } }));
    const run = (...args: string[]) => runInProcess(place, ["audit", ...args]);
    expect((await run("--server")).stdout).toBe("Nothing is noted here yet.\n");
    const args = ["serve", "--port", "0", "--token", "of-this-test"];
    const server = await CairnProcess.start({ place, args });
    const url = await server.ready();
    const headers = { authorization: "Bearer of-this-test", "content-type": "application/json" };
    const body = JSON.stringify({ content: "We deploy on Tuesdays" });
    await fetch(`${url}/api/v1/episodes?db=shop`, { method: "POST", headers, body });
    await fetch(`${url}/api/v1/stats?db=shop`, { headers });
    await fetch(`${url}/api/v1/stats`);
    server.child.kill("SIGKILL");
    await server.exited;
    const shown = await run("--server");
    expect([shown.code, shown.stderr]).toEqual([0, ""]);
    expect(shown.stdout).toMatch(/Z started: The server was started\.\n/);
    expect(shown.stdout).toMatch(
      / rest answered 200 the server's own: remember in shop \(change:1\)\n/,
    );
    expect(shown.stdout).toMatch(
      / rest refused 401 nobody known: stats\n✓ 4 entries, and the chain holds\.\n$/,
    );
    const lines = async (...flags: string[]) =>
      (await run("--server", "--json", ...flags)).stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => (JSON.parse(line) as { n: number }).n);
    expect(await lines()).toEqual([1, 2, 3, 4]);
    expect((await run("--server", "--json")).stdout).toBe(readFileSync(file, "utf8"));
    expect(await lines("--outcome", "refused")).toEqual([4]);
    expect(await lines("--operation", "stats")).toEqual([3, 4]);
    expect(await lines("--in", "shop", "--last", "1")).toEqual([3]);
    expect(await lines("--from", "log")).toEqual([1]);
    expect(await lines("--caller", "ada")).toEqual([]);
    expect(await lines("--until", "2020-01-01")).toEqual([]);
    expect(await lines("--since", "2020-01-01")).toEqual([1, 2, 3, 4]);
    expect((await run("--server", "--outcome", "lost")).stderr).toContain(
      "--outcome: must be one of",
    );
    expect((await run("--caller", "ada")).stderr).toContain("add --server");
    expect((await run("--file", "nowhere.jsonl")).stderr).toContain("There is no file");
    writeFileSync(file, readFileSync(file, "utf8").replace('"stats"', '"facts"'));
    const checked = await run("--server", "--check");
    expect([checked.code, checked.stdout]).toEqual([
      1,
      "✗ 2 entries hold, and no more: Entry 3 was changed.\n",
    ]);
    const told = await run("--file", file, "--check", "--json");
    expect(JSON.parse(told.stdout)).toEqual({
      ...{ holds: false, count: 2, problem: "Entry 3 was changed.", brokenAt: 3, notice: null },
    });
  },
  patiently(60_000),
);

it("says where a server would note its callers if nobody has said it", async () => {
  const { code, stderr } = await runInProcess(cliPlace(), ["audit", "--server"]);
  expect(code).not.toBe(0);
  expect(stderr).toContain("audit.file");
});
