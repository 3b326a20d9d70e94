import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = join("models", "minilm-l6-v2");

export function findModelFolder(start = dirname(fileURLToPath(import.meta.url))): string {
  const folder = join(start, FOLDER);
  if (existsSync(join(folder, "model.onnx"))) return folder;
  const parent = dirname(start);
  if (parent === start) throw new Error(`no ${FOLDER} above ${fileURLToPath(import.meta.url)}`);
  return findModelFolder(parent);
}
