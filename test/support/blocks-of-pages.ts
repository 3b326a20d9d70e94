import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/shared/package.ts";

export interface Block {
  readonly page: string;
  readonly line: number;
  /** Info string of the fence, e.g. `sh`, `sh server`, `json`; `indented` without a fence. */
  readonly kind: string;
  readonly text: string;
  /** Reason why no test runs it, from `<!-- not run: REASON -->` on the line before. */
  readonly notRun?: string;
}

const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/;
const INDENTED = /^ {4}\S/;
const MARK = /^\s*<!-- not run: (.+) -->$/;

/** Hand-written pages. The generated reference has its own test. */
export function listWrittenPages(): readonly string[] {
  const inDocs = readdirSync(join(packageRoot(), "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.startsWith("reference"))
    .map((file) => `docs/${file.replaceAll("\\", "/")}`);
  return ["README.md", ...inDocs.sort()];
}

export function blocksOf(page: string): readonly Block[] {
  const lines = readFileSync(join(packageRoot(), page), "utf8").split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = "", fence, kind = ""] = FENCE.exec(lines[at] ?? "") ?? [];
    if (fence === undefined && INDENTED.test(lines[at] ?? "") && lines[at - 1] === "") {
      blocks.push({ page, line: at + 1, kind: "indented", text: `${lines[at]}\n` });
    }
    if (fence === undefined) continue;
    const begun = at + 1;
    const end = lines.findIndex((line, index) => index > at && line.trim() === fence);
    if (end < 0) throw new Error(`${page}:${begun}: this block has no end.`);
    const inside = lines.slice(begun, end).map((line) => line.replace(indent, ""));
    const [, notRun] = MARK.exec(lines[at - 1] ?? "") ?? [];
    const text = inside.map((line) => `${line}\n`).join("");
    blocks.push({ page, line: begun, kind: kind.trim(), text, ...(notRun && { notRun }) });
    at = end;
  }
  return blocks;
}

export function textsOf(page: string, kind: string): readonly string[] {
  return blocksOf(page)
    .filter((block) => block.kind === kind && block.notRun === undefined)
    .map(({ text }) => text);
}
