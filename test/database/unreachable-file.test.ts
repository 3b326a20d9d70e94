import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

const COMMANDS = [
  ["recall", "x"],
  ["list", "episodes"],
  ["stats"],
  ["events"],
  ["snapshot", "recent:5"],
  ["export"],
  ["doctor"],
  ["remember", "x"],
];

const OBSTACLES: Record<string, { reason: string; build: (dataDir: string) => void }> = {
  "a link to itself": {
    reason: "loop of symbolic links",
    build: (dataDir) => {
      mkdirSync(dataDir);
      symlinkSync("default.db", join(dataDir, "default.db"));
    },
  },
  "a link to a missing file": {
    reason: "link to a missing file",
    build: (dataDir) => {
      mkdirSync(dataDir);
      symlinkSync(join(dataDir, "unmounted", "default.db"), join(dataDir, "default.db"));
    },
  },
  "a data directory that links to itself": {
    reason: "loop of symbolic links",
    build: (dataDir) => symlinkSync(dataDir, dataDir),
  },
  "a data directory that links to a missing folder": {
    reason: "link to a missing file or folder",
    build: (dataDir) => symlinkSync(join(dirname(dataDir), "unmounted"), dataDir),
  },
  "a file instead of the data directory": {
    reason: "a part of the path is a file",
    build: (dataDir) => writeFileSync(dataDir, "x"),
  },
};

describe("a database path that cannot be followed", () => {
  it.each(Object.entries(OBSTACLES))("%s is an error, not an empty memory", async (_, obstacle) => {
    const folders = createCliFolders();
    obstacle.build(folders.dataDir);
    for (const args of COMMANDS) {
      const { code, stderr } = await runInProcess(folders, args);
      expect({ args, code, stderr }).toEqual({
        args,
        code: 1,
        stderr: expect.stringContaining(obstacle.reason),
      });
    }
  });

  it("reads through a link to an existing folder without a database", async () => {
    const folders = createCliFolders();
    const real = join(dirname(folders.dataDir), "real");
    mkdirSync(real);
    symlinkSync(real, folders.dataDir);
    expect((await runInProcess(folders, ["list", "episodes"])).code).toBe(0);
    expect((await runInProcess(folders, ["remember", "x"])).code).toBe(0);
  });
});
