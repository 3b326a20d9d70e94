import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startDialectModel } from "./dialect-model.ts";
import { type RealClient, realClients } from "./real-clients.ts";

/**
 * Usage: `tsx test/clients/try-real-clients.ts [--install] [--folder FOLDER] [--node PROGRAM]
 * [CLIENT...]`. Connects real clients to separate memories and drives them with a scripted model,
 * without API keys. `--install` installs the latest versions from npm. `--node` sets the Node.js;
 * default is the npm package `node@24`, because npm installs old versions of some clients under
 * older ones. Skips missing clients. Prints a table and fails if a client misses a feature or is
 * outdated. Run `npm run build` first.
 */
const CAIRN = resolve("bin/cairn.js");
const TIMEOUT_MS = 120_000;
const FACT = "The harbour lights are switched on at nineteen hours.";

interface Seen {
  readonly client: string;
  readonly version: string;
  readonly newest: boolean;
  readonly connected: boolean;
  /** The client's own list of MCP servers contains cairn; undefined if it has no list. */
  readonly listed: boolean | undefined;
  readonly remembered: boolean;
  readonly recalled: boolean;
  /** Undefined if the client has no session start hook. */
  readonly atStart: boolean | undefined;
}

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    install: { type: "boolean", default: false },
    folder: { type: "string" },
    node: { type: "string" },
  },
});
const folder = resolve(values.folder ?? mkdtempSync(join(tmpdir(), "cairn-real-clients-")));
const nodeFolder = dirname(values.node ?? nodeOfNpm());
const path = [nodeFolder, process.env.PATH ?? ""].join(delimiter);
const chosen = realClients.filter(({ name }) => named.length === 0 || named.includes(name));
if (values.install) install(chosen);
const rows: Seen[] = [];
for (const client of chosen) {
  const program = join(folder, "node_modules", ".bin", client.bin);
  if (existsSync(program)) rows.push(await tryClient(client, program));
  else process.stderr.write(`${client.name}: not installed, skipped\n`);
}
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
process.stdout.write(table(rows));
const isRight = ({ newest, connected, listed, remembered, recalled, atStart }: Seen) =>
  newest && connected && listed !== false && remembered && recalled && atStart !== false;
process.exitCode = rows.every(isRight) ? 0 : 1;

function install(clients: readonly RealClient[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  for (const { npm } of clients) {
    spawnSync("npm", ["install", "--no-audit", "--no-fund", npm], {
      cwd: folder,
      env: { ...process.env, PATH: path },
      stdio: "inherit",
    });
  }
}

function nodeOfNpm(): string {
  const found = spawnSync("npx", ["-y", "-p", "node@24", "which", "node"], { encoding: "utf8" });
  if (found.status !== 0) throw new Error(`--node: node@24 is not available: ${found.stderr}`);
  return found.stdout.trim();
}

function isNewest(npm: string): boolean {
  const [newest, installed] = [
    spawnSync("npm", ["view", npm, "version"], { encoding: "utf8" }).stdout.trim(),
    JSON.parse(readFileSync(join(folder, "node_modules", npm, "package.json"), "utf8")).version,
  ];
  if (newest !== installed) process.stderr.write(`${npm}: ${installed}, npm has ${newest}\n`);
  return newest === installed;
}

async function tryClient(client: RealClient, program: string): Promise<Seen> {
  const root = mkdtempSync(join(tmpdir(), "cairn-real-"));
  const home = join(root, "home");
  const project = join(root, "project");
  for (const path of [home, project]) mkdirSync(path);
  const model = await startDialectModel();
  const base = { url: model.url, home };
  const environment = {
    PATH: path,
    HOME: home,
    CAIRN_DAEMON: "off",
    TERM: "dumb",
    CAIRN_EMBEDDING_PROVIDER: "none",
  };
  const cairn = (...args: string[]) =>
    spawnSync(process.execPath, [CAIRN, ...args], {
      cwd: project,
      env: environment,
      encoding: "utf8",
    });
  const run = (prompt: string) => {
    const response = { ...base, prompt };
    const env = { ...environment, ...client.env(response) };
    return finish(program, client.args(response), { cwd: project, env });
  };
  try {
    for (const [file, text] of Object.entries(client.files?.({ ...base, prompt: "" }) ?? {})) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), String(text));
    }
    const version = spawnSync(program, ["--version"], { env: environment, encoding: "utf8" });
    const connecting = cairn("connect", client.name, "--yes");
    const connected = connecting.status === 0;
    if (!connected) process.stderr.write(connecting.stderr);
    const listing =
      client.lists === undefined
        ? undefined
        : await finish(program, client.lists, {
            cwd: project,
            env: { ...environment, ...client.env({ ...base, prompt: "" }) },
          });
    const listed = listing?.includes("cairn");
    if (listed === false) process.stderr.write(`${client.name}, list:\n${listing}\n`);
    model.want({ tool: "remember", args: { content: FACT, episode_type: "preference" } });
    const first = await run("Keep in memory when the harbour lights go on.");
    const remembered = cairn("recall", "harbour lights").stdout.includes(FACT);
    if (!remembered) process.stderr.write(`${client.name}, first run:\n${first.slice(-1_500)}\n`);
    const before = model.requests.length;
    model.want({ tool: "recall", args: { query: "harbour lights" } });
    const second = await run("When do the lamps at the pier go on?");
    const later = model.requests.slice(before);
    // Only the tool result contains the id and the score; the hook's context does not.
    const recalled = later.some((text) => text.includes(FACT) && /ep:1 · \d\.\d+/.test(text));
    if (!recalled) process.stderr.write(`${client.name}, second run:\n${second.slice(-1_500)}\n`);
    const shown = later.some(
      (text) => text.includes("<cairn-memory") || text.includes("cairn-memory database"),
    );
    const { clients } = await import("../../src/clients/index.ts");
    const hasHooks = clients.find(({ name }) => name === client.name)?.hooks !== undefined;
    return {
      client: client.name,
      version: /\d+(?:\.\d+)+/.exec(version.stdout)?.[0] ?? "",
      newest: isNewest(client.npm),
      connected,
      listed,
      remembered,
      recalled,
      atStart: hasHooks ? shown : undefined,
    };
  } finally {
    if (client.stop !== undefined) {
      spawnSync(program, client.stop, { cwd: project, env: environment, stdio: "ignore" });
    }
    await model.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function finish(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<string> {
  return new Promise((done) => {
    const child = spawn(program, [...args], {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let reply = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        reply += text;
      });
    }
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, TIMEOUT_MS);
    child.once("error", (error) => done(`${reply}\n${error.message}`));
    child.once("close", () => {
      clearTimeout(timer);
      done(reply);
    });
  });
}

function table(seen: readonly Seen[]): string {
  const mark = (value: boolean | undefined, absent = "–") =>
    value === undefined ? absent : value ? "yes" : "no";
  const head =
    "| client | version | connected | listed | remembered | recalled in a second run | seen at the start |";
  const lines = seen.map(
    (row) =>
      `| ${row.client} | ${row.version}${row.newest ? "" : " (old)"} | ${mark(row.connected)} | ${mark(row.listed)} | ${mark(row.remembered)} | ${mark(row.recalled)} | ${mark(row.atStart, "no hooks")} |`,
  );
  return `${[head, "| --- | --- | --- | --- | --- | --- | --- |", ...lines].join("\n")}\n`;
}
