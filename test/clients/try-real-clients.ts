import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { startDialectModel } from "./dialect-model.ts";
import { type RealClient, realClients } from "./real-clients.ts";

/**
 * `tsx test/clients/try-real-clients.ts [--install] [--folder FOLDER] [CLIENT...]`: connects real
 * clients to a memory of their own and drives them with a scripted model. What is not in the folder
 * (or, with --install, cannot be installed from npm) is passed over. Prints a table; fails when a
 * client that is there does not hold what it should. `npm run build` first.
 */
const CAIRN = resolve("bin/cairn.js");
const PATIENCE_MS = 120_000;
const FACT = "The harbour lights are switched on at nineteen hours.";

interface Seen {
  readonly client: string;
  readonly version: string;
  readonly connected: boolean;
  readonly remembered: boolean;
  readonly recalled: boolean;
  /** Undefined: it has no hook that could show anything. */
  readonly atStart: boolean | undefined;
}

const words = process.argv.slice(2);
const folderAt = words.indexOf("--folder");
const given = folderAt < 0 ? undefined : words[folderAt + 1];
const folder = resolve(given ?? mkdtempSync(join(tmpdir(), "cairn-real-clients-")));
const named = words.filter((word, at) => !word.startsWith("--") && at !== folderAt + 1);
const chosen = realClients.filter(({ name }) => named.length === 0 || named.includes(name));
if (words.includes("--install")) install(chosen);
const rows: Seen[] = [];
for (const client of chosen) {
  const program = join(folder, "node_modules", ".bin", client.bin);
  if (existsSync(program)) rows.push(await tryClient(client, program));
  else process.stderr.write(`${client.name}: not there, passed over\n`);
}
if (given === undefined) rmSync(folder, { recursive: true, force: true });
process.stdout.write(table(rows));
const isRight = (row: Seen) =>
  row.connected && row.remembered && row.recalled && row.atStart !== false;
process.exitCode = rows.every(isRight) ? 0 : 1;

function install(clients: readonly RealClient[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  for (const { npm } of clients) {
    spawnSync("npm", ["install", "--no-audit", "--no-fund", npm], {
      cwd: folder,
      stdio: "inherit",
    });
  }
}

async function tryClient(client: RealClient, program: string): Promise<Seen> {
  const root = mkdtempSync(join(tmpdir(), "cairn-real-"));
  const home = join(root, "home");
  const project = join(root, "project");
  for (const path of [home, project]) mkdirSync(path);
  const model = await startDialectModel();
  const base = { url: model.url, home };
  const environment = {
    PATH: [dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
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
    const asked = { ...base, prompt };
    const env = { ...environment, ...client.env(asked) };
    return finish(program, client.args(asked), { cwd: project, env });
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
    model.want({ tool: "remember", args: { content: FACT, episode_type: "preference" } });
    const first = await run("Keep in memory when the harbour lights go on.");
    const remembered = cairn("recall", "harbour lights").stdout.includes(FACT);
    if (!remembered) process.stderr.write(`${client.name}, first run:\n${first.slice(-1_500)}\n`);
    const before = model.requests.length;
    model.want({ tool: "recall", args: { query: "harbour lights" } });
    const second = await run("When do the lamps at the pier go on?");
    const later = model.requests.slice(before);
    // The tool's answer names the id and the score; the hook's context does not.
    const recalled = later.some((text) => text.includes(FACT) && /ep:1 · \d\.\d+/.test(text));
    if (!recalled) process.stderr.write(`${client.name}, second run:\n${second.slice(-1_500)}\n`);
    const shown = later.some(
      (text) => text.includes("<cairn-memory") || text.includes("cairn-memory database"),
    );
    const { clients } = await import("../../src/clients/index.ts");
    const hasHooks = clients.find(({ name }) => name === client.name)?.hooks !== undefined;
    return {
      client: client.name,
      version: (version.stdout.trim().split("\n").at(0) ?? "").slice(0, 30),
      connected,
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

/** What the client said; it is ended when it takes too long. */
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
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    }
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, PATIENCE_MS);
    child.once("error", (error) => done(`${said}\n${error.message}`));
    child.once("close", () => {
      clearTimeout(timer);
      done(said);
    });
  });
}

function table(seen: readonly Seen[]): string {
  const mark = (value: boolean | undefined) =>
    value === undefined ? "no hooks" : value ? "yes" : "no";
  const head =
    "| client | version | connected | remembered | recalled in a second run | seen at the start |";
  const lines = seen.map(
    (row) =>
      `| ${row.client} | ${row.version} | ${mark(row.connected)} | ${mark(row.remembered)} | ${mark(row.recalled)} | ${mark(row.atStart)} |`,
  );
  return `${[head, "| --- | --- | --- | --- | --- | --- |", ...lines].join("\n")}\n`;
}
