/**
 * Repeatedly breaks what `cairn serve` on PostgreSQL depends on, under load: processes, backends,
 * the server, its disk, the network. Then checks the database: every acknowledged write is present
 * exactly once, every changeset is complete or absent, the feed has no gap, and the doctor reports
 * no problem.
 *
 *   npx tsx bench/postgres-campaign/index.ts [rounds] [kind …]
 */
import { setTimeout as pause } from "node:timers/promises";
import { findFaults } from "../../test/support/find-faults.ts";
import { MixedLoad } from "../../test/support/mixed-load.ts";
import { printTable } from "../support/print-table.ts";
import { Campaign } from "./campaign.ts";
import { FAULTS, type Fault, type Round } from "./faults.ts";

const WARM_UP = 20;
const AFTERWARDS = 20;
const LONGEST_RECOVERY_MS = 120_000;

interface Tally {
  rounds: number;
  acknowledged: number;
  repeated: number;
  lost: number;
  doubled: number;
  halves: number;
  gaps: number;
  refused: number;
  /** Rounds after which no write succeeded. */
  stuck: number;
  ill: number;
  /** Longest time from the end of the fault to the next acknowledged write, in milliseconds. */
  recovery: number;
}

const [given = "200", ...chosen] = process.argv.slice(2);
const kinds = chosen.length > 0 ? chosen : Object.keys(FAULTS);
const tallies = new Map<string, Tally>();
await using shared = await Campaign.open();
// An interrupted run still reports its results.
process.once("SIGINT", () => {
  report();
  process.exit(130);
});
for (let n = 0; n < Number(given); n += 1) {
  const kind = kinds[n % kinds.length] ?? "";
  const fault = FAULTS[kind];
  if (fault === undefined) throw new Error(`kind must be one of ${Object.keys(FAULTS).join(", ")}`);
  const tally = tallies.get(kind) ?? {
    ...{ rounds: 0, acknowledged: 0, repeated: 0, lost: 0, doubled: 0, halves: 0 },
    ...{ gaps: 0, refused: 0, stuck: 0, ill: 0, recovery: 0 },
  };
  tallies.set(kind, tally);
  const began = performance.now();
  const isGood = await playRound(fault, `round-${n}`, tally);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stderr.write(`${n} ${kind}: ${isGood ? "passed" : "FAILED"}, ${seconds} s\n`);
}
report();
process.exitCode = [...tallies.values()].every((tally) => countFaults(tally) === 0) ? 0 : 1;

function report(): void {
  printTable(
    ["fault", ...Object.keys([...tallies.values()][0] ?? {}).map(getColumnTitle)],
    [...tallies].map(([kind, tally]) => [kind, ...Object.values(tally)]),
  );
}

async function playRound(fault: Fault, database: string, tally: Tally): Promise<boolean> {
  if (fault.open === undefined) return playRoundOn(shared, fault, database, tally);
  await using own = await fault.open();
  return await playRoundOn(own, fault, database, tally);
}

async function playRoundOn(
  ground: Campaign,
  fault: Fault,
  database: string,
  tally: Tally,
): Promise<boolean> {
  const before = countFaults(tally);
  const round: Round = { database, acknowledged: [] };
  await fault.prepare?.(ground);
  const load = new MixedLoad({
    servers: () => ground.addresses(),
    database,
    ...(fault.writers !== undefined && { writers: fault.writers }),
  });
  if (fault.atOnce !== true) {
    await waitUntil(() => load.acknowledged >= WARM_UP);
    await pause(Math.random() * 300);
  }
  await fault.happen(ground, round);
  const mended = performance.now();
  const count = load.acknowledged;
  if (await waitUntil(() => load.acknowledged > count)) {
    tally.recovery = Math.max(tally.recovery, Math.round(performance.now() - mended));
  }
  if (!(await waitUntil(() => load.acknowledged >= count + AFTERWARDS))) tally.stuck += 1;
  const report = await load.end(LONGEST_RECOVERY_MS);

  const [address] = ground.addresses();
  const at = `${address}/api/v1/databases/${database}`;
  const exported = await fetchText(`${at}/export`);
  const faults = findFaults(exported, [report, round]);
  const refusals = report.refusals.filter((text) => fault.mayBeRefused?.test(text) !== true);
  const diagnosis = await fetchText(`${at}/doctor`, "POST");
  const isIll = (JSON.parse(diagnosis) as { ok?: boolean }).ok !== true;
  tally.rounds += 1;
  tally.acknowledged += report.acknowledged.length + round.acknowledged.length;
  tally.repeated += report.repeated;
  tally.lost += faults.lost.length;
  tally.doubled += faults.doubled.length;
  tally.halves += faults.halves.length;
  tally.gaps += faults.gaps.length;
  tally.refused += refusals.length;
  tally.ill += isIll ? 1 : 0;
  if (countFaults(tally) === before) return true;
  const said = { ...faults, refusals: refusals.slice(0, 3), diagnosis: isIll ? diagnosis : "" };
  process.stderr.write(`${database}: ${JSON.stringify(said).slice(0, 2_000)}\n`);
  return false;
}

async function fetchText(address: string, method = "GET"): Promise<string> {
  const signal = AbortSignal.timeout(LONGEST_RECOVERY_MS);
  const response = await fetch(address, { method, signal });
  const text = await response.text();
  // `response` must stay referenced until the body is read: Node.js cancels the body of a
  // collected response.
  if (!response.ok) throw new Error(`${address}: ${response.status} ${text.slice(0, 200)}`);
  return text;
}

/** Returns false if the condition does not become true in time. */
async function waitUntil(condition: () => boolean): Promise<boolean> {
  const deadline = performance.now() + LONGEST_RECOVERY_MS;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await pause(10);
  }
  return true;
}

function countFaults(tally: Tally): number {
  const { lost, doubled, halves, gaps, refused, stuck, ill } = tally;
  return lost + doubled + halves + gaps + refused + stuck + ill;
}

function getColumnTitle(field: string): string {
  return field === "recovery" ? "recovery ms" : field;
}
