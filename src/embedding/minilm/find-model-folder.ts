import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MODEL_PATH = join("models", "minilm-l6-v2");

export function findModelFolder(start = dirname(fileURLToPath(import.meta.url))): string {
  const folder = join(start, MODEL_PATH);
  if (existsSync(join(folder, "model.onnx"))) return folder;
  const parent = dirname(start);
  if (parent === start) throw new Error(`no ${MODEL_PATH} above ${fileURLToPath(import.meta.url)}`);
  return findModelFolder(parent);
}
