import { defineConfig } from "vitest/config";
import { TAGS } from "./test/support/tags.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    exclude: ["test/slow/**", "node_modules/**"],
    tags: TAGS,
    pool: "forks",
    maxWorkers: 2,
    // Modules have no state, so the files of a worker share imports, which saves a third of the
    // time.
    isolate: false,
    // Caches compiled modules between runs, by content.
    experimental: { fsModuleCache: true },
    testTimeout: 60_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 30_000 } },
    coverage: { provider: "v8", include: ["src/**"], reporter: ["text-summary", "html"] },
    setupFiles: [
      "./test/support/first-connection.ts",
      // Reports CPU milliseconds per file, including child processes.
      ...(process.env.TEST_COSTS === undefined ? [] : ["./test/support/cost-of-file.ts"]),
    ],
    globalSetup: [
      "./test/support/private-temp-folder.ts",
      "./test/support/postgres/server-of-the-run.ts",
    ],
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
  },
});
