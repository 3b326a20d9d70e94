import { defineConfig } from "vitest/config";

/** Tests that take minutes; `npm test` leaves them out. */
export default defineConfig({
  test: {
    include: ["test/slow/**/*.test.ts"],
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
