import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Prints the failed tests with their messages, then `N passed, N failed` as the last line. */
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
        if (state === "failed") named.push(`failed: ${nameOf(test)}: ${failureMessage(test)}`);
      }
    }
    process.stdout.write(named.map((line) => `\n${line}`).join(""));
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed\n`);
  }
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}

/** Joins the messages to one line, because logs often keep only the end of a run. */
function failureMessage(test: TestCase): string {
  const messages = test.result().errors?.map(({ message }) => message) ?? [];
  const [first = ""] = [...new Set(messages)].join("; ").match(/[^\u001B]{1,400}/u) ?? [];
  return first.replaceAll(/\s+/gu, " ");
}
