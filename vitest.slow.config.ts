import { defineConfig } from "vitest/config";
import { TAGS } from "./test/support/tags.ts";

/** Tests that take minutes; `npm test` leaves them out. */
export default defineConfig({
  test: {
    include: [
      "test/slow/**/*.test.ts",
      // `npm test` runs these properties with few cases only.
      "test/memory/operations/any-history.property.test.ts",
      "test/memory/recall/history-free.property.test.ts",
      "test/memory/history/undo.test.ts",
      "test/memory/layers/no-way-out.test.ts",
      "test/agent/checkpoints/undo-exactly.test.ts",
      "test/agent/unattended/hostile-repositories.test.ts",
      "test/agent/loop/history.test.ts",
    ],
    env: { TEST_RUNS: "10", CAIRN_LAYER_HISTORIES: "10000" },
    tags: TAGS,
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    globalSetup: [
      "./test/support/private-temp-folder.ts",
      "./test/support/postgres/server-of-the-run.ts",
    ],
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
  },
});
