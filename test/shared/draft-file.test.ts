import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { removeAbandonedDrafts, temporaryName } from "../../src/shared/files.ts";

it("removes temporary files of dead processes only", () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-drafts-"));
  const path = join(folder, "default.db");
  const { pid: dead } = spawnSync("true");
  const living = temporaryName(path);
  const others = [`${path}`, `${path}.draft-x`, join(folder, `other.db.draft-${dead}`)];
  const abandoned = [
    `${path}.draft-${dead}`,
    `${path}.draft-${dead}-wal`,
    temporaryName(path).replace(String(process.pid), String(dead)),
  ];
  for (const file of [living, ...others, ...abandoned]) writeFileSync(file, "");
  removeAbandonedDrafts(folder, (file) => file === "default.db");
  const left = readdirSync(folder).sort();
  rmSync(folder, { recursive: true });
  expect(left).toEqual([living, ...others].map((file) => basename(file)).sort());
});
