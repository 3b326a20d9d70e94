import { z } from "zod";
import { withMeta } from "../../../shared/fields.ts";
import { SEARCH_SERVICE_NAMES } from "./search-services.ts";

export const webSearchSettings = z.strictObject({
  service: z
    .enum(SEARCH_SERVICE_NAMES)
    .optional()
    .describe("Who searches the web for the agent; without one it has no such tool."),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Where the service is reached: that of a SearXNG of yours, or of a gateway."),
  apiKey: withMeta(z.string().min(1), { secret: true })
    .optional()
    .describe("Also the service's own variable, `BRAVE_API_KEY` or `TAVILY_API_KEY`."),
  apiKeyCommand: z.string().min(1).optional().describe("A command that prints the key."),
});

export type WebSearchSettings = z.output<typeof webSearchSettings>;
