// @module-tag long: replaces servers under load.
import { expect, it } from "vitest";
import { CairnProcess, createCairnFolders } from "../../support/cairn-process.ts";
import { EventFollower } from "../../support/event-follower.ts";
import { findFaults, NO_FAULTS } from "../../support/find-faults.ts";
import { MixedLoad } from "../../support/mixed-load.ts";

const SOME = 40;

it("two servers lose and duplicate nothing while one is replaced", async () => {
  const place = createCairnFolders();
  const serve = async () => {
    const server = await CairnProcess.start({ place, args: ["serve", "--port", "0"] });
    return { process: server, url: await server.ready() };
  };
  const servers = [await serve(), await serve()];
  const addresses = () => servers.map(({ url }) => url);
  const follower = new EventFollower(addresses);
  const load = new MixedLoad({ servers: addresses });
  const more = async () => {
    const before = load.acknowledged;
    await expect.poll(() => load.acknowledged - before, { timeout: 60_000 }).toBeGreaterThan(SOME);
  };

  await more();
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const [oldest] = servers;
    oldest?.process.child.kill(signal);
    await oldest?.process.exited;
    servers.push(await serve());
    servers.shift();
    await more();
  }

  const report = await load.end();
  expect(report.refusals).toEqual([]);
  expect(report.reads).toBeGreaterThan(10);
  expect(report.repeated).toBeGreaterThan(0);
  const answer = await fetch(`${addresses()[0]}/api/v1/databases/default/export`);
  const exported = await answer.text();
  expect(findFaults(exported, [report])).toEqual(NO_FAULTS);
  const events = exported.split("\n").filter((line) => line.includes('"table":"events"')).length;
  await expect.poll(() => follower.seqs.length, { timeout: 30_000 }).toBe(events);
  expect(follower.seqs).toEqual(Array.from({ length: events }, (_, index) => index + 1));
  await follower.leave();
}, 270_000);
