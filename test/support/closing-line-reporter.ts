import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * Prints `N passed, N failed` alone on the last line, besides vitest's own summary, and before it
 * the names of the tests that failed, with why.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length };
    const named: string[] = [];
    for (const module of modules) {
      if (!module.ok() && [...module.children.allTests("failed")].length === 0) {
        count.failed += 1;
        named.push(`failed: ${module.relativeModuleId}`);
      }
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state === "passed" || state === "failed") count[state] += 1;
        if (state === "failed") named.push(`failed: ${nameOf(test)}: ${whyOf(test)}`);
      }
    }
    process.stdout.write(named.map((line) => `\n${line}`).join(""));
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed\n`);
  }
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}

/** What was wrong, on one line: a run's end is often all that is kept of it. */
function whyOf(test: TestCase): string {
  const messages = test.result().errors?.map(({ message }) => message) ?? [];
  const [first = ""] = [...new Set(messages)].join("; ").match(/[^\u001B]{1,400}/u) ?? [];
  return first.replaceAll(/\s+/gu, " ");
}
