import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { invalidInput } from "../../shared/errors.ts";
import type { Embedder } from "../embedder.ts";
import { computeIdentity, readModelFolder } from "../onnx/model-folder.ts";
import { onnxEmbedder } from "../onnx/onnx-embedder.ts";
import type { EmbeddingSettings } from "../settings.ts";

export function createOnnx({ folder: value }: EmbeddingSettings): Embedder {
  const path = value?.replace(/^~(?=[/\\])/, homedir());
  if (path === undefined) {
    throw invalidInput(
      "embedding.folder is missing; set it to the folder that contains model.onnx and tokenizer.json",
    );
  }
  if (!isAbsolute(path)) {
    throw invalidInput(
      `embedding.folder "${path}" must be an absolute path; write ${join(process.cwd(), path)}`,
    );
  }
  const folder = readModelFolder(path);
  const { query, passage } = folder.prefixes;
  return onnxEmbedder({
    identity: computeIdentity(folder),
    hasRoles: query !== passage,
    folder: () => folder,
    name: `the model in ${path}`,
    cure: "export it again (docs/guides/embedding-models.md) or choose another embedding.provider",
  });
}
