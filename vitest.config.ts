import { defineConfig } from "vitest/config";
import { TAGS } from "./test/support/tags.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    exclude: ["test/slow/**", "node_modules/**"],
    tags: TAGS,
    pool: "forks",
    maxWorkers: 2,
    // No module has state, so the files of a worker share what they import; a third of the time is saved.
    isolate: false,
    // What a module is compiled to is kept between runs, by its content.
    experimental: { fsModuleCache: true },
    testTimeout: 60_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 15_000 } },
    coverage: { provider: "v8", include: ["src/**"], reporter: ["text-summary", "html"] },
    setupFiles: [
      "./test/support/first-connection.ts",
      // Milliseconds of processor time, by file: its own, and those of processes that it started.
      ...(process.env.TEST_COSTS === undefined ? [] : ["./test/support/cost-of-file.ts"]),
    ],
    globalSetup: [
      "./test/support/private-temp-folder.ts",
      "./test/support/postgres/server-of-the-run.ts",
    ],
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
  },
});
