/** The request and response types belong to the LLM library and are not public. */
export interface ModelClient {
  readonly provider: string;
  readonly model: string;
}
export type ModelRequest = unknown;
export type ModelAnswer = unknown;
export type RequestedToolCall = unknown;
export type ToolDefinition = unknown;
export type ProviderName = string;
export declare function listModels(endpoint: unknown, signal?: AbortSignal): Promise<string[]>;
