import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashlineEditTool, searchReplaceEditTool } from "../../../src/agent/tools/edit.ts";
import { messageOf } from "../../../src/shared/errors.ts";
import type { ToolBench } from "../support/tool-bench.ts";
import type { Mistake } from "./mistakes.ts";

export interface AttemptResult {
  readonly verdict: "applied right" | "refused helpfully" | "applied wrong" | "refused badly";
  readonly saw: string;
}

export async function tryMistake(bench: ToolBench, mistake: Mistake): Promise<AttemptResult> {
  const path = join(bench.root, "file");
  await writeFile(path, mistake.file);
  const tool = mistake.mode === "hashline" ? hashlineEditTool : searchReplaceEditTool;
  const error = await bench.run(tool, mistake.input).then(
    () => undefined,
    (thrown: unknown) => messageOf(thrown),
  );
  const file = await readFile(path, "utf8");
  const { outcome } = mistake;
  if (error === undefined) {
    const isRight = "file" in outcome && outcome.file === file;
    return { verdict: isRight ? "applied right" : "applied wrong", saw: file };
  }
  if (file !== mistake.file) return { verdict: "applied wrong", saw: file };
  const helps = "refusal" in outcome && outcome.refusal.test(error);
  return { verdict: helps ? "refused helpfully" : "refused badly", saw: error };
}
