import { expect, it, onTestFinished } from "vitest";
import { writeTool } from "../../../src/agent/tools/write.ts";
import { openToolBench } from "../support/tool-bench.ts";

it("tools do not write what git acts upon, in the project or in one nested in it", async () => {
  const bench = await openToolBench();
  onTestFinished(() => bench.close());
  for (const path of [".git/config", ".git/hooks/pre-commit", "vendor/lib/.GIT/config"]) {
    await expect(bench.run(writeTool, { path, content: "x" })).rejects.toThrowError(
      /belongs to git/,
    );
  }
});
