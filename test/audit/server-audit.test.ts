import { appendFile, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ServerAudit } from "../../src/audit/index.ts";
import { earlierParts } from "../../src/shared/chained-log/chain-place.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { memoryServer } from "../support/memory-server.ts";
import { type AuditOfTest, auditOfTest, removeWithTest } from "./support/audit-place.ts";

const request = (operation: string) => ({
  ...({
    from: "rest",
    outcome: "answered",
    status: 200,
    caller: "ada",
    by: "token",
    operation,
  } as const),
});

function start(settings: Parameters<typeof auditOfTest>[0] = {}): AuditOfTest {
  const made = auditOfTest(settings);
  removeWithTest(made);
  return made;
}

it("holds what came at once, each once, also of two servers on one file", async () => {
  const { audit, place, read } = start();
  const settings = { required: true, partBytes: 8 * 1024 * 1024, parts: 100 };
  const other = new ServerAudit({ place, settings, logger: silentLogger });
  const names = Array.from({ length: 600 }, (_, at) => `op-${at}`);
  await Promise.all(names.map((name, at) => (at % 3 === 0 ? other : audit).note(request(name))));
  const { entries, problem } = await read();
  expect(problem).toBeUndefined();
  expect(entries.map(({ operation }) => operation).sort()).toEqual(names.sort());
});

it("tells which entry was changed, taken out or cut off", async () => {
  const { audit, place, read } = start();
  for (const name of ["one", "two", "three"]) await audit.note(request(name));
  const written = await readFile(place.file, "utf8");
  const [one = "", , three = ""] = written.split("\n");
  const check = async (text: string) => {
    await writeFile(place.file, text);
    return (await read()).problem;
  };
  expect(await check(written)).toBeUndefined();
  expect(await check(written.replace('"two"', '"too"'))).toBe("Entry 2 was changed.");
  expect(await check(`${one}\n${three}\n`)).toBe("Entry 2 is missing.");
  expect(await check(`${one}\n`)).toBe("Entries 2 to 3 were cut off.");
  await audit.note(request("four"));
  expect((await read()).problem).toBe("Entry 2 is missing.");
});

it("tells of a line that a killed server left half, and goes on behind it", async () => {
  const { audit, place, read } = start();
  await audit.note(request("one"));
  await appendFile(place.file, '{"n":2,"at":"20');
  expect((await read()).notice).toContain("left half");
  await audit.note(request("two"));
  const { entries, problem } = await read();
  expect(problem).toBeUndefined();
  expect(entries.map(({ outcome }) => outcome)).toEqual(["answered", "healed", "answered"]);
});

it("keeps so many files and no more, and what is kept still holds", async () => {
  const { audit, place, read } = start({ partBytes: 1_000, parts: 2 });
  for (let at = 0; at < 40; at += 1) await audit.note(request(`op-${at}`));
  expect(await earlierParts(place)).toHaveLength(2);
  const { entries, problem } = await read();
  expect(problem).toBeUndefined();
  expect(entries[0]?.n).toBeGreaterThan(20);
  expect(entries.at(-1)?.n).toBe(40);
  const [oldest = ""] = await earlierParts(place);
  const kept = await readFile(oldest, "utf8");
  await rm(oldest);
  expect((await read()).problem).toBe(`Entry ${entries[0]?.n} is missing.`);
  await writeFile(oldest, kept.replace('"ada"', '"eve"'));
  expect((await read()).problem).toBe(`Entry ${entries[0]?.n} was changed.`);
});

/** A file that takes nothing, as on a disk that is full. */
async function fill({ place }: AuditOfTest): Promise<() => Promise<void>> {
  await rename(place.file, `${place.file}.aside`);
  await symlink("/dev/full", place.file);
  return async () => {
    await rm(place.file);
    await rename(`${place.file}.aside`, place.file);
  };
}

const onLinux = it.skipIf(process.platform !== "linux");

onLinux("answers nobody while the disk is full, and everybody once there is room", async () => {
  const made = start();
  const server = await memoryServer({ audit: made.audit });
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(server.url + path, init);
    return { status: response.status, text: await response.text() };
  };
  const remember = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ content: "We deploy on Tuesdays" }),
  };
  expect((await ask("/api/v1/episodes", remember)).status).toBe(200);
  const makeRoom = await fill(made);
  const first = await ask("/api/v1/episodes");
  expect([first.status, first.text]).toEqual([503, expect.stringContaining('"audit":"failing"')]);
  expect(first.text).not.toContain("Tuesdays");
  expect((await ask("/api/v1/episodes", remember)).status).toBe(503);
  expect((await ask("/health")).status).toBe(503);
  expect((await ask("/health/ready")).status).toBe(503);
  expect((await ask("/health/live")).status).toBe(200);
  expect(made.told.filter((line) => line.includes("cannot be written"))).toHaveLength(1);
  await makeRoom();
  // The first that is refused is noted, and with that it is known that there is room.
  expect((await ask("/health")).status).toBe(503);
  expect(await ask("/health")).toMatchObject({
    status: 200,
    text: expect.stringContaining('"audit":"ok"'),
  });
  const list = JSON.parse((await ask("/api/v1/episodes")).text) as { episodes: unknown[] };
  expect(list.episodes).toHaveLength(1);
  await server.end();
  const { entries, problem } = await made.read();
  expect(problem).toBeUndefined();
  expect(entries.map(({ status, outcome }) => status ?? outcome)).toEqual([
    ...["started", 200, "missed", 503, 200, 200, "stopped"],
  ]);
});

onLinux("is ready again by itself, though nobody sends it requests", async () => {
  const made = start();
  const server = await memoryServer({ audit: made.audit });
  const makeRoom = await fill(made);
  expect((await fetch(`${server.url}/api/v1/episodes`)).status).toBe(503);
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(503);
  await makeRoom();
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  expect((await fetch(`${server.url}/api/v1/episodes`)).status).toBe(200);
  await server.end();
  const outcomes = (await made.read()).entries.map(({ outcome }) => outcome);
  expect(outcomes).toEqual(["started", "missed", "healed", "answered", "stopped"]);
});

onLinux("stops although nothing can be noted", async () => {
  const made = start();
  const server = await memoryServer({ audit: made.audit });
  await fill(made);
  await expect(server.end()).resolves.toBeUndefined();
  expect(made.told.join()).toContain("cannot be written");
});

onLinux(
  "where it is not required it goes on, says so, and notes how many are missing",
  async () => {
    const made = start({ required: false });
    const server = await memoryServer({ audit: made.audit });
    const makeRoom = await fill(made);
    for (let at = 0; at < 3; at += 1)
      expect((await fetch(`${server.url}/api/v1/episodes`)).status).toBe(200);
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({
      ok: true,
      audit: "failing",
    });
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    expect(made.told.filter((line) => line.includes("answered unnoted"))).toHaveLength(1);
    await makeRoom();
    await fetch(`${server.url}/api/v1/episodes`);
    await server.end();
    const { entries, problem } = await made.read();
    expect(problem).toBeUndefined();
    expect(entries.map(({ outcome }) => outcome)).toEqual([
      "started",
      "missed",
      "answered",
      "stopped",
    ]);
    expect(entries[1]?.text).toBe("4 requests before this could not be noted.");
  },
);

it("does not begin to serve where nothing can be noted", async () => {
  const made = start();
  await made.audit.note(request("one"));
  await appendFile(made.place.file, "broken\n");
  await expect(memoryServer({ audit: made.audit })).rejects.toMatchObject({ code: "unavailable" });
  expect(made.told.join()).toMatch(/is no entry.*cairn audit --server --check/);
});
