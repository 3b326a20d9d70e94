import { expect, it, onTestFinished } from "vitest";
import { writeTool } from "../../../src/agent/tools/write.ts";
import { openToolBench } from "../support/tool-bench.ts";

it("tools never write files that git executes, also in a nested repository", async () => {
  const bench = await openToolBench();
  onTestFinished(() => bench.close());
  for (const path of [".git/config", ".git/hooks/pre-commit", "vendor/lib/.GIT/config"]) {
    await expect(bench.run(writeTool, { path, content: "x" })).rejects.toThrowError(
      /belongs to git/,
    );
  }
});
