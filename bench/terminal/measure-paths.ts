/**
 * Time until the first suggestions of `@` in a project of 300 000 files: cold, before any listing,
 * and for each further key. Prints wall-clock time and the CPU time of this process, which other
 * load on the machine does not affect.
 *
 *   npx tsx bench/terminal/measure-paths.ts [files]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Completion } from "../../src/terminal/completion/complete-path.ts";
import { createEditor, setText } from "../../src/terminal/editor/editor.ts";
import { PathCompleter } from "../../src/terminal/session/key-effects.ts";
import { printTable } from "../support/print-table.ts";

interface First {
  readonly ms: number;
  readonly cpu: number;
}

const files = Number(process.argv[2] ?? 300_000);
// Prevents the process from ending while git runs, as a terminal does.
const alive = setInterval(() => {}, 1_000);
const root = mkdtempSync(join(tmpdir(), "cairn-bench-"));
try {
  execFileSync("git", ["init", "-q"], { cwd: root });
  const blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
  const index = Array.from(
    { length: files },
    (_, n) => `100644 ${blob}\tpackages/p${n % 300}/src/module_${n % 97}/file_${n}.ts\n`,
  ).join("");
  execFileSync("git", ["update-index", "--index-info"], { cwd: root, input: index });
  const rows: (readonly [string, string, First])[] = [];
  let text = "";
  let onShow: (completion: Completion | undefined) => void = () => {};
  const completer = new PathCompleter({
    root,
    now: Date.now,
    resources: () => [],
    editor: () => setText(createEditor(), text),
    show: (completion) => onShow(completion),
  });
  const type = async (typed: string) => {
    text = `@${typed}`;
    const begun = performance.now();
    const used = process.cpuUsage();
    const first = new Promise<First>((resolve) => {
      onShow = (completion) => {
        if ((completion?.items.length ?? 0) === 0) return;
        const { user, system } = process.cpuUsage(used);
        resolve({ ms: performance.now() - begun, cpu: (user + system) / 1000 });
      };
    });
    completer.offer({ typed, from: 0, to: text.length });
    return first;
  };
  rows.push(["first key, nothing listed", "@f", await type("f")]);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  for (const typed of ["p", "p2", "p29", "p299", "f", "file", "file_123", "mod96file1"]) {
    rows.push(["listed", `@${typed}`, await type(typed)]);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  printTable(
    ["first suggestions", "input", "ms", "CPU ms"],
    rows.map(([what, typed, { ms, cpu }]) => [what, typed, ms.toFixed(1), cpu.toFixed(1)]),
  );
} finally {
  clearInterval(alive);
  rmSync(root, { recursive: true, force: true });
}
