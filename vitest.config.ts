import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    exclude: ["test/slow/**", "node_modules/**"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    coverage: { provider: "v8", include: ["src/**"], reporter: ["text-summary", "html"] },
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
  },
});
