import { z } from "zod";
import { withMeta, withTrust } from "../shared/fields.ts";

const EMBEDDING_PROVIDERS = ["minilm", "onnx", "openai-compatible", "ollama", "none"] as const;

export const embeddingSettings = withTrust(
  z.strictObject({
    provider: z
      .enum(EMBEDDING_PROVIDERS)
      .default("minilm")
      .describe(
        "`minilm` is bundled with cairn; `onnx` loads a model from a folder; `none` recalls by text " +
          "and graph alone.",
      ),
    folder: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Folder with model.onnx and tokenizer.json, for `onnx`. An absolute path, or one that begins with ~/.",
      ),
    model: z.string().min(1).optional().describe("Name of the remote model."),
    baseUrl: z
      .url()
      .optional()
      .describe("Base URL including the version, such as http://127.0.0.1:8080/v1."),
    apiKey: withMeta(z.string().min(1), { secret: true })
      .optional()
      .describe("API key of the remote provider."),
  }),
  {
    provider: (value) => value === "none" || value === "minilm",
    folder: "trusted",
    model: "trusted",
    baseUrl: "trusted",
    apiKey: "trusted",
  },
);

export type EmbeddingSettings = z.output<typeof embeddingSettings>;
export type EmbeddingProvider = EmbeddingSettings["provider"];
