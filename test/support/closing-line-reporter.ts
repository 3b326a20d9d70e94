import type { Reporter, TestModule } from "vitest/node";

/** Prints `N passed, N failed` alone on the last line, besides vitest's own summary. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length };
    for (const module of modules) {
      if (!module.ok() && [...module.children.allTests("failed")].length === 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state === "passed" || state === "failed") count[state] += 1;
      }
    }
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed\n`);
  }
}
