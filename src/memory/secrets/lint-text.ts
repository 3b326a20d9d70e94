import { lintSource } from "@secretlint/core";
import { secretLintProfiler } from "@secretlint/profiler";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import type { FoundSecret } from "./judge-value.ts";

const PRESET = "@secretlint/secretlint-rule-preset-recommend";

secretLintProfiler.mark = () => {};

export async function lintText(text: string): Promise<FoundSecret[]> {
  const { messages } = await lintSource({
    source: { content: text, filePath: "memory.txt", ext: ".txt", contentType: "text" },
    options: { config: { rules: [{ id: PRESET, rule: creator }] }, noPhysicFilePath: true },
  });
  return messages.map(({ range: [start, end], ruleId, messageId }) => ({
    start,
    end,
    kind: formatKind(ruleId, messageId),
  }));
}

/** Derives the kind from a secretlint rule: `PrivateKey` becomes `private-key`. */
function formatKind(ruleId: string, messageId: string | undefined): string {
  const name = messageId ?? ruleId.replace(/^.*secretlint-rule-/, "");
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
    .replaceAll("_", "-")
    .toLowerCase();
}
