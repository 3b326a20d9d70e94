import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AcknowledgedWrites,
  createAcknowledgedWrites,
  MixedWriter,
} from "./support/mixed-writer.ts";
import { printTable } from "./support/print-table.ts";

/**
 * Kills cairn repeatedly while it works, then checks the database: every acknowledged write is
 * present, every changeset is complete or absent, the feed has no gap, and the doctor reports no
 * problem. Data that was acknowledged as deleted, purged or undone must not return.
 *
 *   npx tsx bench/campaign.ts [rounds] [kind …]
 */

const CLI = resolve(import.meta.dirname, "../bin/cairn.js");
const GROUP = 5;

interface Place {
  readonly folder: string;
  readonly data: string;
}

interface Round {
  /** Contents whose write was acknowledged. */
  readonly acknowledged: readonly string[];
  readonly killed: boolean;
  /** Data whose removal was acknowledged. */
  readonly gone?: AcknowledgedWrites;
}

interface Tally {
  rounds: number;
  killed: number;
  acknowledged: number;
  lost: number;
  halves: number;
  gaps: number;
  ill: number;
  drafts: number;
  /** Items acknowledged as deleted, purged or undone, and how many of them were present again. */
  gone: number;
  back: number;
}

const KINDS: Readonly<Record<string, (location: Place) => Promise<Round>>> = {
  serve: killServe,
  apply: killApply,
  import: killImport,
  export: (location) => killOnFilled(location, ["export", join(location.folder, "out.jsonl")]),
  undo: killUndo,
  purge: killPurge,
  reindex: (location) => killOnFilled(location, ["reindex"]),
  doctor: killDoctor,
  creation: killCreation,
};

function start(location: Place, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [CLI, ...args], {
    cwd: location.folder,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: location.folder,
      CAIRN_DATA_DIR: location.data,
      CAIRN_EMBEDDING_PROVIDER: "none",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function waitForExit(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

const run = (location: Place, ...args: string[]) => waitForExit(start(location, args));

/** Kills the process at a random moment within `ms`. Returns true if it was still running. */
async function killWithin(child: ChildProcess, ms: number): Promise<boolean> {
  const ended = waitForExit(child);
  const isRunning = await Promise.race([
    ended.then(() => false),
    sleep(Math.random() * ms).then(() => true),
  ]);
  child.kill("SIGKILL");
  await ended;
  return isRunning;
}

async function killServe(location: Place): Promise<Round> {
  const child = start(location, ["serve", "--port", "0"]);
  const url = await readAddress(child);
  const promised = createAcknowledgedWrites();
  let stop = false;
  const writers = Array.from({ length: 8 }, (_unused, writer) =>
    new MixedWriter(url, `w${writer}`, { group: GROUP, promised }).writeUntil(() => stop),
  );
  await sleep(500 + Math.random() * 4000);
  child.kill("SIGKILL");
  stop = true;
  await Promise.all([once(child, "close"), ...writers]);
  return { acknowledged: [...promised.kept], killed: true, gone: promised };
}

async function readAddress(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stderr ?? []) {
    text += chunk;
    const url = /listening on (http:\/\/\S+)/.exec(text)?.[1];
    if (url === undefined) continue;
    child.stderr?.resume();
    return url;
  }
  throw new Error(`cairn serve exited: ${text}`);
}

async function killApply(location: Place): Promise<Round> {
  await run(location, "remember", "before");
  const lines = Array.from({ length: 500 }, (_, n) => `remember "big group ${n}"`);
  writeFileSync(join(location.folder, "big.changeset"), lines.join("\n"));
  const killed = await killWithin(start(location, ["apply", "big.changeset"]), 900);
  return { acknowledged: ["before"], killed };
}

async function fill(place: Place): Promise<void> {
  const lines = Array.from({ length: 400 }, (_, n) => `remember "big group ${n}"`);
  writeFileSync(join(place.folder, "fill.changeset"), lines.join("\n"));
  await run(place, "apply", "fill.changeset");
}

async function killOnFilled(location: Place, args: readonly string[]): Promise<Round> {
  await fill(location);
  const killed = await killWithin(start(location, args), 500);
  return { acknowledged: ["big group 0", "big group 399"], killed };
}

async function killImport(place: Place): Promise<Round> {
  await fill(place);
  const file = join(place.folder, "out.jsonl");
  await run(place, "export", file);
  const killed = await killWithin(start(place, ["import", file, "--db", "copy"]), 600);
  if (existsSync(join(place.data, "copy.db"))) {
    const { code } = await run(place, "doctor", "--db", "copy");
    if (code !== 0) throw new Error("A killed import left an incomplete database.");
  }
  await run(place, "import", file, "--db", "again");
  return { acknowledged: ["big group 0", "big group 399"], killed };
}

/** Undoes one group, then kills the command that undoes another. */
async function killUndo(location: Place): Promise<Round> {
  await fill(location);
  const lines = Array.from({ length: GROUP }, (_, n) => `remember "once group ${n}"`);
  writeFileSync(join(location.folder, "once.changeset"), lines.join("\n"));
  await run(location, "apply", "once.changeset");
  const { code } = await run(location, "undo");
  const gone = createAcknowledgedWrites();
  if (code === 0) gone.undone.add("once");
  const killed = await killWithin(start(location, ["undo"]), 700);
  return { acknowledged: [], killed, gone };
}

/** Purges one item, deletes another, then kills the command that purges a third. */
async function killPurge(place: Place): Promise<Round> {
  await fill(place);
  for (const content of ["first item x", "second item x", "third item x"]) {
    await run(place, "remember", content);
  }
  const gone = createAcknowledgedWrites();
  const deleted = await run(place, "delete", "ep:402");
  if (deleted.code === 0) gone.deleted.add("second item x");
  const purged = await run(place, "purge", "ep:401", "--yes");
  if (purged.code === 0) gone.purged.add("first item x");
  const killed = await killWithin(start(place, ["purge", "ep:403", "--yes"]), 700);
  return { acknowledged: ["big group 0", "big group 399"], killed, gone };
}

async function killDoctor(location: Place): Promise<Round> {
  await fill(location);
  const { default: Connection } = await import("better-sqlite3");
  const connection = new Connection(join(location.data, "default.db"));
  connection.exec(
    "delete from episode_text where rowid % 3 = 0; update facts set entity_key = 'x'",
  );
  connection.close();
  const killed = await killWithin(start(location, ["doctor", "--fix"]), 700);
  await run(location, "doctor", "--fix");
  return { acknowledged: ["big group 0", "big group 399"], killed };
}

async function killCreation(place: Place): Promise<Round> {
  const kills = [0, 1, 2].map((n) => killWithin(start(place, ["remember", `first ${n}`]), 500));
  const killed = (await Promise.all(kills)).some(Boolean);
  const { code } = await run(place, "remember", "after");
  return { acknowledged: code === 0 ? ["after"] : ["a write after the first was killed"], killed };
}

async function verify(location: Place, round: Round, tally: Tally): Promise<void> {
  // The process was killed before its first write: no database is expected.
  if (round.acknowledged.length === 0 && !existsSync(join(location.data, "default.db"))) return;
  const { stdout } = await run(location, "export");
  const rows = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { table?: string; row: Record<string, unknown> });
  const contents = rows.filter(({ table }) => table === "episodes").map(({ row }) => row.content);
  const isThere = ({ row }: { row: Record<string, unknown> }) => row.deleted_at == null;
  const episodes = rows.filter(({ table }) => table === "episodes");
  const known = new Set(episodes.filter(isThere).map(({ row }) => row.content));
  if (round.gone !== undefined) {
    const { deleted, purged, undone } = round.gone;
    const present = [...known].map(String);
    const undoneNames = present.map((content) => content.replace(/ group \d+$/, ""));
    tally.gone += deleted.size + purged.size + undone.size;
    tally.back +=
      present.filter((content) => deleted.has(content)).length +
      new Set(undoneNames.filter((name) => undone.has(name))).size +
      [...purged].filter((text) => stdout.includes(text) || isInFiles(location, text)).length;
  }
  const seqs = rows.filter(({ table }) => table === "events").map(({ row }) => Number(row.seq));
  tally.lost += round.acknowledged.filter((content) => !known.has(content)).length;
  tally.halves += countPartialChangesets(contents.map(String));
  tally.gaps += seqs.filter((seq, index) => seq !== index + 1).length;
  const doctor = await run(location, "doctor");
  if (doctor.code === 0) return;
  tally.ill += 1;
  process.stderr.write(`Doctor report for ${location.folder}:\n${doctor.stdout}${doctor.stderr}\n`);
}

/** Searches the bytes of every file in the data directory. */
function isInFiles({ data }: Place, text: string): boolean {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text));
}

/** Counts changesets of which only some episodes are present. */
function countPartialChangesets(contents: readonly string[]): number {
  const sizes = new Map<string, number>();
  for (const content of contents) {
    const group = /^(.*) group \d+$/.exec(content)?.[1];
    if (group !== undefined) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  }
  return [...sizes].filter(([name, size]) =>
    name === "big" ? size !== 400 && size !== 500 : size !== GROUP,
  ).length;
}

async function playRound(kind: string, tally: Tally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-campaign-"));
  const fixture = { folder, data: join(folder, "data") };
  const found = () => tally.lost + tally.halves + tally.gaps + tally.ill + tally.back;
  const before = found();
  try {
    const round = await (KINDS[kind] as (location: Place) => Promise<Round>)(fixture);
    tally.rounds += 1;
    tally.killed += round.killed ? 1 : 0;
    tally.acknowledged += round.acknowledged.length;
    await verify(fixture, round, tally);
    tally.drafts += readdirSync(folder, { recursive: true }).filter((name) =>
      String(name).includes(".draft-"),
    ).length;
  } finally {
    // The folder of a failed round stays for inspection.
    if (found() === before) rmSync(folder, { recursive: true, force: true });
    else process.stderr.write(`Failed round of ${kind}: see ${folder}.\n`);
  }
}

const [rounds = "70", ...chosen] = process.argv.slice(2);
const kinds = chosen.length > 0 ? chosen : Object.keys(KINDS);
const tallies = new Map<string, Tally>();
for (let n = 0; n < Number(rounds); n += 1) {
  const kind = kinds[n % kinds.length] ?? "serve";
  const tally = tallies.get(kind) ?? {
    ...{ rounds: 0, killed: 0, acknowledged: 0 },
    ...{ lost: 0, halves: 0, gaps: 0, ill: 0, drafts: 0, gone: 0, back: 0 },
  };
  tallies.set(kind, tally);
  await playRound(kind, tally);
}
printTable(
  [
    "killed",
    "rounds",
    "in time",
    "acknowledged",
    "lost",
    "halves",
    "gaps",
    "ill",
    "drafts left",
    "gone",
    "back again",
  ],
  [...tallies].map(([kind, tally]) => [kind, ...Object.values(tally)]),
);
const { version } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../package.json"), "utf8"),
) as { version: string };
process.stdout.write(`cairn ${version}\n`);
const isBad = [...tallies.values()].some(
  ({ lost, halves, gaps, ill, back }) => lost + halves + gaps + ill + back,
);
process.exitCode = isBad ? 1 : 0;
