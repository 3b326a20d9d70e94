import { invalidInput } from "../../shared/errors.ts";
import { nearestHint } from "../../shared/nearest.ts";
import type { Exporter } from "./exported-memory.ts";
import { claudeMd } from "./formats/claude-md.ts";
import { markdown } from "./formats/markdown.ts";

const exporters: readonly Exporter[] = [markdown, claudeMd];

export function exporterNamed(name: string): Exporter {
  const exporter = exporters.find((one) => one.name === name);
  if (exporter !== undefined) return exporter;
  const names = ["jsonl", ...exporters.map((one) => one.name)];
  throw invalidInput(
    `--format: "${name}" is not one of ${names.join(", ")}.${nearestHint(name, names)}`,
  );
}
