import {
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { mcpPrompts, promptText } from "./prompts/registry.ts";
import { requireNoCursor, rpcError } from "./rpc-error.ts";
import type { Serving } from "./serving.ts";

/** Answers `prompts/list` and `prompts/get`. */
export function servePrompts({ server, tools, logger }: Serving): void {
  server.setRequestHandler(ListPromptsRequestSchema, ({ params }) => {
    requireNoCursor(params);
    const prompts = mcpPrompts.map(({ text: _text, arguments: list, ...prompt }) => ({
      ...prompt,
      arguments: list.map(({ suggests: _suggests, ...argument }) => argument),
    }));
    return { prompts };
  });
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    try {
      const { description, text } = promptText(
        params.name,
        params.arguments ?? {},
        new Set(tools.keys()),
      );
      return { description, messages: [{ role: "user", content: { type: "text", text } }] };
    } catch (error) {
      throw rpcError(error, logger);
    }
  });
}
