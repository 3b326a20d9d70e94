import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import {
  type KnownFile,
  readDecisions,
  type SourceBatch,
} from "../../../src/ingest/sources/index.ts";

function project() {
  const folder = mkdtempSync(join(tmpdir(), "cairn-decisions-"));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  return { folder, write };
}

async function read(folder: string, known: readonly KnownFile[] = []) {
  const batches: SourceBatch[] = [];
  for await (const batch of readDecisions({ folder, project: "shop" }, known)) batches.push(batch);
  return batches;
}

const knownFrom = (batches: readonly SourceBatch[]): KnownFile[] =>
  batches.map(({ key, mark, passages }) => ({
    ...{ key, mark: mark ?? null, passages: passages.length },
  }));

const ADR =
  "# 7. Keep Redis\n\nDate: 2026-02-01\n\n## Context\n\nJobs are lost.\n\n## Decision\n\nWe keep Redis in `src/queue.ts`.\n\n```sh\n# not a heading\n```\n";

it("reads decision files by section, with headings, date and files", async () => {
  const { folder, write } = project();
  write("docs/adr/0007-redis.md", ADR);
  write("CHANGELOG.md", "# Changelog\n\n## 1.2.0 - 2026-03-04\n\n- Retries are capped.\n");
  write("src/notes.md", "# Notes\n\nNot a decision.\n");
  const batches = await read(folder);
  expect(batches.map(({ kind, key, title }) => [kind, key, title])).toEqual([
    ["decisions", "shop:CHANGELOG.md", "CHANGELOG.md"],
    ["decisions", "shop:docs/adr/0007-redis.md", "docs/adr/0007-redis.md"],
  ]);
  expect(batches[0]?.passages).toMatchObject([
    { text: "Changelog › 1.2.0 - 2026-03-04\n\n- Retries are capped.", role: "section" },
  ]);
  expect(batches[0]?.passages[0]?.occurred_at).toMatch(/^2026-03-04T/);
  expect(batches[1]?.passages.at(-1)).toMatchObject({
    by: "docs/adr/0007-redis.md",
    files: ["docs/adr/0007-redis.md", "src/queue.ts"],
    text: "7. Keep Redis › Decision\n\nWe keep Redis in `src/queue.ts`.\n\n```sh\n# not a heading\n```",
  });
  expect(batches[1]?.passages[0]?.occurred_at).toMatch(/^2026-02-01T/);
});

it("reads changed sections, keeps keys of unchanged ones, and reports removed ones", async () => {
  const { folder, write } = project();
  write("docs/adr/0007-redis.md", ADR);
  write("AGENTS.md", "Use pnpm.\n");
  const first = await read(folder);
  expect(await read(folder, knownFrom(first))).toEqual([]);
  write("docs/adr/0007-redis.md", ADR.replace("keep Redis in", "drop Redis from"));
  rmSync(join(folder, "AGENTS.md"));
  const second = await read(folder, knownFrom(first));
  expect(second).toMatchObject([
    { key: "shop:docs/adr/0007-redis.md", complete: true },
    { key: "shop:AGENTS.md", complete: true, passages: [] },
  ]);
  const keys = (batch?: SourceBatch) => batch?.passages.map(({ key }) => key) ?? [];
  const [before, after] = [keys(first.find(({ title }) => title !== "AGENTS.md")), keys(second[0])];
  expect(after.filter((key) => before.includes(key))).toHaveLength(before.length - 1);
});

it("follows no links out of the project and skips binary files", async () => {
  const { folder, write } = project();
  const outside = project();
  outside.write("docs/adr/1.md", "A secret of somebody else.\n");
  outside.write("AGENTS.md", "A secret of somebody else.\n");
  symlinkSync(join(outside.folder, "docs"), join(folder, "docs"));
  symlinkSync(join(outside.folder, "AGENTS.md"), join(folder, "AGENTS.md"));
  write("CLAUDE.md", "\0\0binary");
  expect(await read(folder)).toEqual([]);
});
