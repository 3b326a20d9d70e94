/**
 * Compares cairn with other agents, each in a 120×40 pseudo-terminal with its own home, on one
 * scripted model that supports each agent's protocol: a start, then a message with a reply of 600
 * words at 200 words per second, then a message whose reply reads six files in one step. Linux
 * only. Peers are looked up in `<folder>/<name>/node_modules/.bin`:
 *
 *   for p in codex:@openai/codex claude:@anthropic-ai/claude-code gemini:@google/gemini-cli \
 *     opencode:opencode-ai pi:@mariozechner/pi-coding-agent; do
 *     npm install --prefix <folder>/${p%%:*} ${p#*:}; done
 *   npm run build && npx tsx bench/terminal/compare-with-peers.ts <folder> [name …]
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type IPty, spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { printTable } from "../support/print-table.ts";
import { CAIRN, PEERS, type Peer } from "./peers.ts";
import { listProcessTree, readCpuSeconds, readProportionalMegabytes } from "./process-tree.ts";
import { type ScriptedApis, startScriptedApis } from "./scripted-apis.ts";

const STARTS = 3;
const START_MS = 90_000;
const ANSWER_MS = 90_000;
const QUIET_MS = 2_000;
const WORDS = 600;
const WORDS_A_SECOND = 200;
const LAST = "THE-END";
/** Without a question mark, which is a shortcut key in some agents. */
const MESSAGE = "Tell me how we round money in invoices";

/** The reply to this message reads six files in one step. */
const READING = "Look at the six files";
const READ_END = "ALL-SIX-READ";
const READS_MS = 30_000;
const hasReading = ({ body }: { readonly body: string }) => body.includes(READING);

/** Matches requests that offer tools; other requests generate titles and the like. */
const TOOLS = /"(tools|functionDeclarations)":\s*\[\s*[{[]/;

const [folder = "", ...names] = process.argv.slice(2);
const words = [...Array.from({ length: WORDS }, (_, index) => getWord(index)), LAST];

interface Figures {
  readonly version: string;
  readonly starts: readonly { readonly wall: number; readonly cpu: number }[];
  readonly startMegabytes: number;
  readonly streamCpu: number;
  readonly streamBytes: number;
  readonly megabytes: number;
  /**
   * Cost of the step with six reads; undefined if the agent has no read tool or the step did not
   * end.
   */
  readonly reads:
    | { readonly cpu: number; readonly bytes: number; readonly rows: number }
    | undefined;
  readonly requestTokens: number;
  readonly requestBytes: number;
}

const results = new Map<string, Figures | string>();
for (const peer of [CAIRN, ...PEERS]) {
  if (names.length > 0 && !names.includes(peer.name)) continue;
  const program = findProgram(peer);
  if (!existsSync(program)) results.set(peer.name, "not installed");
  else results.set(peer.name, await measure(peer, program).catch((error) => reason(error)));
}
show();
process.exit();

function findProgram({ name, program }: Peer): string {
  if (name === CAIRN.name) return resolve("bin/cairn.js");
  return resolve(folder, name, "node_modules", ".bin", program);
}

async function measure(peer: Peer, program: string): Promise<Figures> {
  const starts: { wall: number; cpu: number }[] = [];
  for (let round = 0; round < STARTS - 1; round += 1) {
    starts.push(await withAgent(peer, program, async ({ start }) => start));
  }
  return withAgent(peer, program, async (agent) => {
    starts.push(agent.start);
    await sleep(QUIET_MS);
    const { pid } = agent.pty;
    const startMegabytes = readProportionalMegabytes(pid);
    agent.pty.write(MESSAGE);
    await sleep(500);
    const [cpu, written] = [readCpuSeconds(pid), agent.written()];
    await submit(agent);
    await waitUntil(() => agent.screen().includes(LAST), ANSWER_MS, agent.screen);
    await sleep(300);
    const reads = peer.read === undefined ? undefined : await readSix(agent).catch(() => undefined);
    const work = agent.apis.requests.find(({ body }) => body.includes(MESSAGE) && TOOLS.test(body));
    return {
      version: readVersion(program),
      starts,
      startMegabytes,
      streamCpu: readCpuSeconds(pid) - cpu,
      streamBytes: agent.written() - written,
      megabytes: readProportionalMegabytes(pid),
      reads,
      requestTokens: countTokens(work?.body ?? ""),
      requestBytes: Buffer.byteLength(work?.body ?? ""),
    };
  });
}

/** Measures a step of six reads, and the screen rows of its message, step and reply. */
async function readSix(agent: Agent): Promise<Figures["reads"]> {
  const { pty, screen, apis } = agent;
  const before = screen().trimEnd().split("\n").length;
  pty.write(READING);
  await sleep(500);
  const [cpu, written] = [readCpuSeconds(pty.pid), agent.written()];
  for (let attempt = 0; attempt < 10 && !apis.requests.some(hasReading); attempt += 1) {
    pty.write("\r");
    await sleep(2_000);
  }
  await waitUntil(() => screen().includes(READ_END), READS_MS, screen);
  await sleep(300);
  const rows = screen().trimEnd().split("\n").length - before;
  return { cpu: readCpuSeconds(pty.pid) - cpu, bytes: agent.written() - written, rows };
}

/** Some agents treat an Enter soon after text as part of a paste, or are not ready yet. */
async function submit({ pty, apis }: Agent): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    pty.write("\r");
    await sleep(3_000);
    if (apis.requests.some(({ body }) => body.includes(MESSAGE))) return;
  }
}

interface Agent {
  readonly pty: IPty;
  readonly apis: ScriptedApis;
  readonly start: { readonly wall: number; readonly cpu: number };
  /** Bytes written to the terminal so far. */
  readonly written: () => number;
  readonly screen: () => string;
}

/**
 * Starts the agent in its own home and project. Ends it with all its child processes afterwards.
 */
async function withAgent<T>(
  peer: Peer,
  program: string,
  work: (agent: Agent) => Promise<T>,
): Promise<T> {
  const path = mkdtempSync(join(tmpdir(), "cairn-beside-"));
  const stage = { home: join(path, "home"), project: join(path, "project"), address: "" };
  mkdirSync(stage.home);
  mkdirSync(stage.project);
  execFileSync("git", ["init", "-q"], { cwd: stage.project });
  writeFileSync(join(stage.project, "README.md"), "# Shop\n");
  const files = Array.from({ length: 6 }, (_, index) => join(stage.project, `part-${index}.ts`));
  for (const file of files) writeFileSync(file, `export const part = "${file}";\n`.repeat(20));
  const { read } = peer;
  const step = read && { when: READING, calls: files.map(read), words: [`${READ_END} `] };
  const apis = await startScriptedApis({
    ...{ words, wordsASecond: WORDS_A_SECOND },
    ...(step && { step }),
  });
  const emulator = new xterm.Terminal({
    cols: 120,
    rows: 40,
    scrollback: 5_000,
    allowProposedApi: true,
  });
  const begun = performance.now();
  const pty = spawn(program, [...peer.args], {
    cols: 120,
    rows: 40,
    cwd: stage.project,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: stage.home,
      XDG_CONFIG_HOME: join(stage.home, ".config"),
      XDG_DATA_HOME: join(stage.home, ".local", "share"),
      XDG_CACHE_HOME: join(stage.home, ".cache"),
      XDG_STATE_HOME: join(stage.home, ".local", "state"),
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      LANG: "C.UTF-8",
      ...peer.prepare({ ...stage, address: apis.address }),
    },
  });
  let written = 0;
  pty.onData((data) => {
    written += Buffer.byteLength(data);
    emulator.write(data);
  });
  // Some agents query terminal capabilities and wait for the response.
  emulator.onData((answer) => pty.write(answer));
  const screen = () => readScreen(emulator);
  try {
    await waitUntil(() => peer.prompt.test(screen()), START_MS, screen);
    const start = { wall: (performance.now() - begun) / 1000, cpu: readCpuSeconds(pty.pid) };
    return await work({ pty, apis, start, written: () => written, screen });
  } finally {
    for (const pid of listProcessTree(pty.pid).toReversed()) end(pid);
    apis.close();
    await sleep(300);
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}

function readScreen(emulator: InstanceType<typeof xterm.Terminal>): string {
  const { active } = emulator.buffer;
  return Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString(true) ?? "",
  ).join("\n");
}

async function waitUntil(
  isSo: () => boolean,
  limitMs: number,
  screen: () => string,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!isSo()) {
    if (performance.now() > deadline) {
      process.stderr.write(`${screen().trim().slice(-3_000)}\n`);
      throw new Error(`timed out after ${limitMs / 1000} s`);
    }
    await sleep(15);
  }
}

function readVersion(program: string): string {
  const { stdout, stderr } = spawnSync(program, ["--version"], {
    encoding: "utf8",
    timeout: 60_000,
  });
  return /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? "unknown";
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function getWord(index: number): string {
  if (index % 120 === 60) return "\n\n```ts\nconst value = 1;\n```\n\n";
  if (index % 40 === 20) return "\n\n- item ";
  return `word${index} `;
}

function show(): void {
  const agents = [...results];
  const row = (what: string, of: (figures: Figures) => string) => [
    what,
    ...agents.map(([, result]) => (typeof result === "string" ? "–" : of(result))),
  ];
  printTable(
    ["", ...agents.map(([name]) => name)],
    [
      row("version", ({ version }) => version),
      row("start to prompt, s (median)", ({ starts }) =>
        median(starts.map(({ wall }) => wall)).toFixed(1),
      ),
      row("CPU until prompt, s (median)", ({ starts }) =>
        median(starts.map(({ cpu }) => cpu)).toFixed(2),
      ),
      row("memory 2 s later, MB", ({ startMegabytes }) => startMegabytes.toFixed(0)),
      row("CPU of the answer, s", ({ streamCpu }) => streamCpu.toFixed(2)),
      row("bytes written for it, kB", ({ streamBytes }) => (streamBytes / 1000).toFixed(0)),
      row("CPU of a step of six reads, s", ({ reads }) => reads?.cpu.toFixed(2) ?? "–"),
      row("bytes written for it, kB", ({ reads }) =>
        reads ? (reads.bytes / 1000).toFixed(1) : "–",
      ),
      row("rows of the screen for it", ({ reads }) => `${reads?.rows ?? "–"}`),
      row("memory after the answer, MB", ({ megabytes }) => megabytes.toFixed(0)),
      row("first request, o200k tokens", ({ requestTokens }) => `${requestTokens}`),
      row("first request, kB", ({ requestBytes }) => (requestBytes / 1000).toFixed(1)),
    ],
  );
  for (const [name, result] of agents) {
    if (typeof result === "string") process.stdout.write(`${name}: ${result}\n`);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
