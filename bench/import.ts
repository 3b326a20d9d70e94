/**
 * Time and memory of an import through the built command, as the shell measures them: the first
 * import, then a second one in which every record already exists. Run `npm run build` first.
 *
 *   npx tsx bench/import.ts [records]
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../src/shared/package.ts";
import { printTable } from "./support/print-table.ts";

const RECORDS = Number(process.argv[2] ?? 100_000);
const PEOPLE = 500;
const WORDS = "build deploy queue cache index test release token retry timeout schema branch".split(
  " ",
);
/** Preloaded into the measured process: prints its peak memory in KiB and its CPU time at exit. */
const USAGE_REPORTER =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the program that is told fills it in.
  "data:text/javascript,process.on('exit',()=>{const{maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();process._rawDebug(`USED ${maxRSS} ${(userCPUTime+systemCPUTime)/1e6}`)})";

const command = join(packageRoot(), "bin", "cairn.js");
if (!existsSync(join(packageRoot(), "dist", "main.js")))
  throw new Error("Run `npm run build` first.");
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));

/** Each source: its file and the further arguments of `cairn import`. */
const SOURCES: readonly {
  readonly name: string;
  readonly text: () => string;
  readonly args?: readonly string[];
}[] = [
  { name: "server-memory.jsonl", text: generateServerMemory },
  { name: "server-memory-facts.jsonl", text: generateServerMemory, args: ["--as-facts"] },
  { name: "mem0.json", text: generateMem0 },
  { name: "notes.csv", text: generateCsv, args: ["--map", "content=note,by=who,occurred_at=when"] },
];

try {
  const rows = SOURCES.flatMap(({ name, text, args = [] }) => {
    const file = join(folder, name);
    writeFileSync(file, text());
    const size = `${(statSync(file).size / 1e6).toFixed(0)} MB`;
    const run = (moment: string) => [name, size, moment, ...importFile(name, [file, ...args])];
    return [run("first"), run("again")];
  });
  printTable(["source", "size", "import", "s", "CPU s", "records/s", "peak MB", "answer"], rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function importFile(name: string, args: readonly string[]): string[] {
  const db = name.replace(/\W/g, "-");
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", USAGE_REPORTER, command, "import", ...args, "--db", db, "--json"],
    {
      env: {
        ...process.env,
        CAIRN_DATA_DIR: join(folder, "data"),
        CAIRN_EMBEDDING_PROVIDER: "none",
      },
      encoding: "utf8",
      maxBuffer: 1e9,
    },
  );
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) throw new Error(`the import of ${name} failed: ${stderr.slice(-2000)}`);
  const [, kib = "0", cpu = "0"] = /USED (\d+) ([\d.]+)/.exec(stderr) ?? [];
  const { added, known, skipped } = JSON.parse(stdout) as Record<string, unknown>;
  return [
    seconds.toFixed(1),
    Number(cpu).toFixed(1),
    (RECORDS / seconds).toFixed(0),
    (Number(kib) / 1024).toFixed(0),
    JSON.stringify({
      added,
      known,
      skipped: Array.isArray(skipped) ? skipped.length : skipped,
    }).slice(0, 80),
  ];
}

function generateSentence(number: number): string {
  const words = Array.from({ length: 12 }, (_, at) => WORDS[(number * 7 + at * at) % WORDS.length]);
  return `Note ${number}: ${words.join(" ")}`;
}

function generateServerMemory(): string {
  const each = Math.ceil(RECORDS / PEOPLE);
  const lines = Array.from({ length: PEOPLE }, (_, person) =>
    JSON.stringify({
      type: "entity",
      name: `Person_${person}`,
      entityType: "person",
      observations: Array.from({ length: each }, (_, note) =>
        generateSentence(person * each + note),
      ),
    }),
  );
  return `${lines.join("\n")}\n`;
}

function generateMem0(): string {
  const results = Array.from({ length: RECORDS }, (_, number) => ({
    id: `m-${number}`,
    memory: generateSentence(number),
    user_id: `user-${number % PEOPLE}`,
    categories: [WORDS[number % WORDS.length]],
    created_at: new Date(1_700_000_000_000 + number * 60_000).toISOString(),
  }));
  return JSON.stringify({ count: results.length, results });
}

function generateCsv(): string {
  const rows = Array.from(
    { length: RECORDS },
    (_, number) =>
      `${number},${generateSentence(number)},user-${number % PEOPLE},${new Date(1_700_000_000_000 + number * 60_000).toISOString()}`,
  );
  return `id,note,who,when\n${rows.join("\n")}\n`;
}
