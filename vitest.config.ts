import { defineConfig } from "vitest/config";

/** A busy or slow machine may take longer: `TEST_PATIENCE=3 npm test`. */
const patience = Number(process.env.TEST_PATIENCE ?? 1);

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    exclude: ["test/slow/**", "node_modules/**"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000 * patience,
    hookTimeout: 30_000 * patience,
    coverage: { provider: "v8", include: ["src/**"], reporter: ["text-summary", "html"] },
    globalSetup: ["./test/support/private-temp-folder.ts"],
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
  },
});
