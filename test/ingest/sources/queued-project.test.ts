import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { readQueuedProject } from "../../../src/ingest/sources/queued-project.ts";
import { sourcesKeep } from "../../../src/ingest/sources/settings.ts";
import { temporaryFolder } from "../../support/memory-server.ts";
import { createTestMemory } from "../../support/test-memory.ts";

/** A repository with that many commits without files. */
function createRepository(commits: number): string {
  const folder = temporaryFolder();
  const history = Array.from({ length: commits }, (_, n) =>
    [
      "commit refs/heads/main",
      `committer Ada <ada@example.org> ${1_770_000_000 + n * 60} +0000`,
      "data <<END",
      `Change number ${n}`,
      "END",
      "",
    ].join("\n"),
  );
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: folder });
  execFileSync("git", ["fast-import", "--quiet"], { cwd: folder, input: history.join("\n") });
  return folder;
}

it("reads the newest 500 commits of a long history in a project's first session", async () => {
  const { memory } = createTestMemory();
  const folder = createRepository(520);
  const work = { folder, db: "default", off: ["decisions"], keep: sourcesKeep.parse({}) };
  await readQueuedProject(work, () => memory);
  const { sources } = await memory.execute("list_sources", { kind: "git" });
  expect(sources.map(({ passages }) => passages)).toEqual([500]);
});
