import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ScriptedModel, startScriptedModel } from "../../test/support/scripted-model.ts";
import { Terminal } from "../../test/terminal/support/terminal.ts";
import { printTable } from "../support/print-table.ts";

/**
 * `npm run build && npx tsx bench/terminal/measure-terminal.ts [program.js]`: runs the built
 * program in an 80×24 pseudo-terminal, with the model in this process. Linux only: CPU and memory
 * are read from /proc.
 */
const program = resolve(process.argv[2] ?? "bin/cairn.js");
const STARTS = 9;
const TOKENS_A_SECOND = 200;
const STREAM_SECONDS = 8;
const TURNS = 1000;
const CLOCK_TICKS_A_SECOND = 100;

const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
const model = await startScriptedModel();
const rows: string[][] = [];
try {
  rows.push(...(await measureStart()));
  const terminal = start(model);
  await terminal.waitFor("scripted");
  rows.push(...(await measureStream(terminal, "at the beginning")));
  rows.push(...(await measureGrowth(terminal)));
  rows.push(...(await measureStream(terminal, `after ${2 * TURNS} messages`)));
  terminal.kill();
} finally {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}
printTable(["metric", "value"], rows);
process.exit();

function start({ baseUrl }: ScriptedModel): Terminal {
  return new Terminal({
    script: program,
    cwd: folder,
    env: {
      HOME: folder,
      CAIRN_DATA_DIR: join(folder, "data"),
      CAIRN_PROVIDER: "openai-compatible",
      CAIRN_BASE_URL: baseUrl,
      CAIRN_MODEL: "scripted",
      CAIRN_CONTEXT_WINDOW: "100000000",
    },
  });
}

/** Measures the time from process start to the prompt, and to the first typed letter on screen. */
async function measureStart(): Promise<string[][]> {
  const bare: number[] = [];
  const prompt: number[] = [];
  const echo: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const before = performance.now();
    execFileSync(process.execPath, ["-e", "0"]);
    bare.push(performance.now() - before);
    const started = performance.now();
    const terminal = start(model);
    while (!terminal.raw.includes("›")) await delay(1);
    prompt.push(performance.now() - started);
    terminal.type("Q");
    while (!/›[^\n]*Q/.test(terminal.raw)) await delay(1);
    echo.push(performance.now() - started);
    terminal.kill();
    await terminal.exited;
  }
  const base = median(bare);
  const ratio = (value: number) => `${value.toFixed(0)} ms, ${(value / base).toFixed(1)}x`;
  return [
    ["node -e 0", `${base.toFixed(0)} ms`],
    ["first prompt", ratio(median(prompt))],
    ["first letter on screen", ratio(median(echo))],
  ];
}

async function measureStream(terminal: Terminal, when: string): Promise<string[][]> {
  const tokens = TOKENS_A_SECOND * STREAM_SECONDS;
  const text = Array.from({ length: tokens }, (_, index) => generateToken(index));
  model.script({ text: [...text, `END${when}`], chunkDelayMs: 1000 / TOKENS_A_SECOND });
  terminal.type("stream\r");
  await model.waitForRequests(model.requests.length + 1);
  const [cpu, written, started] = [
    readCpuSeconds(terminal.pid),
    terminal.written,
    performance.now(),
  ];
  // Searching the whole output each time would slow down the model in this process.
  while (!terminal.raw.slice(-8000).includes(`END${when}`)) await delay(20);
  const seconds = (performance.now() - started) / 1000;
  const share = (100 * (readCpuSeconds(terminal.pid) - cpu)) / seconds;
  const bytes = (terminal.written - written) / tokens;
  return [
    [
      `CPU while ${(tokens / seconds).toFixed(0)} tokens/s stream, ${when}`,
      `${share.toFixed(0)} %`,
    ],
    [`bytes written a token, ${when}`, bytes.toFixed(0)],
  ];
}

/** Generates prose with an occasional list and code block. */
function generateToken(index: number): string {
  if (index % 120 === 0) return "\n\n```ts\nconst value = 1;\n```\n\n";
  if (index % 40 === 0) return "\n\n- item ";
  return `word${index % 7} `;
}

async function measureGrowth(terminal: Terminal): Promise<string[][]> {
  const before = readResidentMegabytes(terminal.pid);
  model.respond(({ index }) => ({ text: `Answer ${index} with **some** words and \`code\`.\n` }));
  for (let turn = 0; turn < TURNS; turn += 1) {
    const seen = model.requests.length;
    terminal.type(`question ${turn}\r`);
    await model.waitForRequests(seen + 1, 30_000);
  }
  await terminal.settle(500);
  return [
    ["memory before", `${before.toFixed(0)} MB`],
    [`memory after ${2 * TURNS} messages`, `${readResidentMegabytes(terminal.pid).toFixed(0)} MB`],
  ];
}

/** User and system time of a process so far, in seconds. */
function readCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_A_SECOND;
}

function readResidentMegabytes(pid: number): number {
  const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1]) / 1024;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
