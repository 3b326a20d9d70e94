/**
 * Compares cairn with memory servers from the npm registry. Each runs as an MCP server on stdio
 * with the same notes and queries. Run `npm run build` first.
 *
 *   npx tsx bench/peers.ts [--notes 1000] [--queries 20]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { packageRoot } from "../src/shared/package.ts";
import { printTable } from "./support/print-table.ts";

const { values } = parseArgs({
  options: {
    notes: { type: "string", default: "1000" },
    queries: { type: "string", default: "20" },
  },
});
const NOTES = Number(values.notes);
const QUERIES = Number(values.queries);
const NOTES_PER_CALL = 100;

interface Note {
  readonly subject: string;
  readonly text: string;
}

interface Peer {
  readonly name: string;
  /** npm package to install; absent for cairn itself. */
  readonly install?: string;
  readonly start: (folder: string) => { args: string[]; env: Record<string, string> };
  readonly store: (client: Client, notes: readonly Note[]) => Promise<unknown>;
  readonly search: (client: Client, query: string) => Promise<unknown>;
}

const PEERS: readonly Peer[] = [
  {
    name: "cairn",
    start: (folder) => ({
      args: [join(packageRoot(), "bin", "cairn.js"), "mcp"],
      env: { CAIRN_DATA_DIR: join(folder, "data"), CAIRN_DAEMON: "off", CAIRN_DB: "peers" },
    }),
    store: (client, notes) => {
      const ops = notes.map(({ subject, text }) => ({
        ...{ op: "remember", content: text, entities: [`module:${subject}`] },
      }));
      return call(client, "apply", { changeset: JSON.stringify(ops) });
    },
    search: (client, query) => call(client, "recall", { query }),
  },
  {
    name: "server-memory",
    install: "@modelcontextprotocol/server-memory",
    start: (folder) => ({
      args: [join(folder, "node_modules/@modelcontextprotocol/server-memory/dist/index.js")],
      env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
    }),
    store: (client, notes) => {
      const entities = notes.map(({ subject, text }) => ({
        ...{ name: subject, entityType: "module", observations: [text] },
      }));
      return call(client, "create_entities", { entities });
    },
    // This server matches substrings only, so the query is the one word that the note contains.
    search: (client, query) =>
      call(client, "search_nodes", { query: query.split(" ").at(-1) ?? "" }),
  },
];

/** Peers that do not run from an npm package alone. */
const SKIPPED: Readonly<Record<string, string>> = {
  "basic-memory": "published for Python only",
  mem0: "needs a language model to store anything",
  remind: "published for Python only",
};

const notes: readonly Note[] = Array.from({ length: NOTES }, (_, index) => ({
  subject: `module${index}`,
  text: `The retries of module${index} wait ${index} seconds, because its queue loses messages otherwise.`,
}));
const queries = Array.from({ length: QUERIES }, (_, index) => {
  const { subject } = notes[Math.floor((index * NOTES) / QUERIES)] ?? { subject: "" };
  return { subject, query: `how long are the retries of ${subject}` };
});

const median = (times: readonly number[]) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Calls a tool. Throws if the tool returns an error. */
async function call(client: Client, name: string, input: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: input });
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
  return result;
}

async function measureTime<T>(run: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const before = performance.now();
  const result = await run();
  return { ms: performance.now() - before, result };
}

/**
 * Returns start time, milliseconds per stored note, milliseconds and characters per search, and
 * the fraction of found notes.
 */
async function measure({ install, start, store, search }: Peer): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-peers-"));
  const client = new Client({ name: "bench", version: "1" });
  try {
    mkdirSync(join(folder, "home"));
    if (install !== undefined) {
      const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder];
      execFileSync("npm", [...args, install], { stdio: "pipe" });
    }
    const { args, env } = start(folder);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args,
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", HOME: join(folder, "home"), ...env },
      stderr: "ignore",
    });
    const started = await measureTime(async () => {
      await client.connect(transport);
      await client.listTools();
    });
    let storing = 0;
    for (let at = 0; at < NOTES; at += NOTES_PER_CALL) {
      storing += (await measureTime(() => store(client, notes.slice(at, at + NOTES_PER_CALL)))).ms;
    }
    await search(client, "warm up");
    const searches: { ms: number; text: string; subject: string }[] = [];
    for (const { subject, query } of queries) {
      const { ms, result } = await measureTime(() => search(client, query));
      searches.push({ ms, subject, text: JSON.stringify(result) });
    }
    const found = searches.filter(({ text, subject }) => text.includes(`${subject} `));
    return [
      started.ms,
      storing / NOTES,
      median(searches.map(({ ms }) => ms)),
      median(searches.map(({ text }) => text.length)),
      found.length / QUERIES,
    ];
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

let own: readonly number[] | undefined;
const rows: string[][] = [];
for (const peer of PEERS) {
  try {
    const measured = await measure(peer);
    own ??= measured;
    const base = own;
    rows.push([
      peer.name,
      ...measured.map(
        (value, index) => `${value.toFixed(2)} (${(value / (base[index] ?? 1)).toFixed(2)})`,
      ),
    ]);
  } catch (error) {
    // cairn runs first and is the baseline: its failure aborts the comparison.
    if (own === undefined) throw error;
    const [reason = ""] = String(error).split("\n");
    rows.push([peer.name, `skipped: ${reason}`, "", "", "", ""]);
  }
}
printTable(
  ["server", "start ms (ratio)", "store ms/note", "search p50 ms", "result characters", "found"],
  rows,
);
for (const [name, reason] of Object.entries(SKIPPED)) {
  process.stdout.write(`${name}: skipped, ${reason}\n`);
}
