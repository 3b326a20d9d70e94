import { z } from "zod";
import { withMeta, withTrust } from "../shared/fields.ts";

const EMBEDDING_PROVIDERS = ["minilm", "onnx", "openai-compatible", "ollama", "none"] as const;

export const embeddingSettings = withTrust(
  z.strictObject({
    provider: z
      .enum(EMBEDDING_PROVIDERS)
      .default("minilm")
      .describe(
        "`minilm` ships with cairn; `onnx` is a model in a folder of yours; `none` recalls by text " +
          "and graph alone.",
      ),
    folder: z
      .string()
      .min(1)
      .optional()
      .describe("Of an `onnx` model: holds model.onnx and tokenizer.json. Absolute, or from ~/."),
    model: z.string().min(1).optional().describe("The remote model's name."),
    baseUrl: z.url().optional().describe("Up to the version, e.g. http://127.0.0.1:8080/v1."),
    apiKey: withMeta(z.string().min(1), { secret: true })
      .optional()
      .describe("Of the remote provider."),
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
