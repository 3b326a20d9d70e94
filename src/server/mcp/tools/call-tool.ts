import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import {
  type CallOptions,
  jsonForModel,
  type Memory,
  type ResourceLink,
  SHOWN_BY_DEFAULT,
  validateInput,
} from "../../../memory/index.ts";
import { CairnError, isCairnError } from "../../../shared/errors.ts";
import { isPlainObject, visibleJson } from "../../../shared/json.ts";
import type { Logger } from "../../../shared/logger.ts";
import { askBefore } from "../asking/ask-before.ts";
import type { AskPerson } from "../asking/ask-person.ts";
import { modelText } from "../text/model-text.ts";
import { readArguments } from "./arguments-as-sent.ts";
import { boundLists } from "./bound-lists.ts";
import type { ExposedTool } from "./exposed-tools.ts";

export interface ToolCall {
  readonly tool: ExposedTool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
  readonly ask?: AskPerson | undefined;
}

/**
 * The answer as text for the model; where the client asked for it, as JSON and as structured content
 * for programs. An error is the same JSON in both, with `isError`. Never rejects.
 */
export async function callTool(
  memory: Memory,
  call: ToolCall,
  logger: Logger,
): Promise<CallToolResult> {
  const { tool, options, ask } = call;
  const { operation, hiddenFields, structured, textDefaults } = tool;
  try {
    const input = readArguments(operation, call.input);
    if (hiddenFields.some((field) => Object.hasOwn(input, field))) {
      const shown = Object.fromEntries(hiddenFields.map((field) => [field, true] as const));
      validateInput(operation.input.omit(shown as Record<string, never>), input, operation.name);
    }
    const asked = ask === undefined ? undefined : await askBefore(memory, { ...call, input }, ask);
    const answered = await memory.executeNamed(
      asked?.operation ?? operation.name,
      asked?.input ?? { ...textDefaults, ...input },
      { ...options, surface: "mcp", most: SHOWN_BY_DEFAULT },
    );
    const output = boundLists(asked?.answer?.(answered) ?? answered);
    const presented = operation.present?.(output).text;
    if (!structured) return { content: [textContent(presented ?? modelText(output))] };
    // A link costs a model as many tokens as a short item, so links are only for clients whose programs read
    // answers.
    const links = operation.mcp?.links?.(output) ?? [];
    return {
      content: [
        textContent(presented ?? jsonForModel(visibleJson(output, 2))),
        ...links.map(linkContent),
      ],
      structuredContent: isPlainObject(output) ? output : { result: output },
    };
  } catch (error) {
    return errorResult(error, logger);
  }
}

function textContent(text: string) {
  return { type: "text" as const, text };
}

function linkContent({ uri, title }: ResourceLink) {
  return { type: "resource_link" as const, uri, name: uri, title, mimeType: "application/json" };
}

function errorResult(error: unknown, logger: Logger): CallToolResult {
  const body = { error: knownError(error, logger).toBody() };
  return {
    isError: true,
    content: [{ type: "text", text: jsonForModel(JSON.stringify(body, null, 2)) }],
    structuredContent: { ...body },
  };
}

/** An unexpected error goes to the logger; the client only learns that there was one. */
export function knownError(error: unknown, logger: Logger): CairnError {
  if (isCairnError(error)) return error;
  if (error instanceof Error && error.name === "AbortError") {
    return new CairnError("unavailable", "The call was cancelled; nothing was written.");
  }
  logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return new CairnError("internal", "The server failed to answer; its log says why.");
}
