import { isPlainObject } from "../../shared/json.ts";

const DEFAULT_ADDRESS = "http://127.0.0.1:11434";

const DEFAULT_WINDOW_TOKENS = 32_768;

export interface OllamaServer {
  readonly address: string;
  readonly model: string;
  readonly fetch: typeof globalThis.fetch;
  readonly apiKey?: string;
}

export interface ShownModel {
  readonly largest: number | undefined;
  /** `num_ctx` of the Modelfile. */
  readonly ownWindow: number | undefined;
  readonly capabilities: ReadonlySet<string>;
}

export function ollamaAddress(baseUrl: string | undefined): string {
  return (baseUrl ?? DEFAULT_ADDRESS).replace(/\/+$/, "").replace(/\/(v1|api)$/, "");
}

/** Undefined without Ollama or the model. */
export async function loadModelDetails(
  server: OllamaServer,
  signal: AbortSignal,
): Promise<ShownModel | undefined> {
  const details = await requestJson(server, "/api/show", { model: server.model }, signal).catch(
    () => {
      return undefined;
    },
  );
  if (details === undefined) return undefined;
  const parameter = /^num_ctx\s+(\d+)/m.exec(String(details.parameters ?? ""))?.[1];
  const info = isPlainObject(details.model_info) ? details.model_info : {};
  const length = Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1];
  const { capabilities } = details;
  return {
    largest: typeof length === "number" ? length : undefined,
    ownWindow: parameter === undefined ? undefined : Number(parameter),
    capabilities: new Set(Array.isArray(capabilities) ? capabilities.map(String) : []),
  };
}

export function chooseWindow(
  { largest, ownWindow }: ShownModel,
  configured: number | undefined,
): number {
  const max = largest ?? Number.POSITIVE_INFINITY;
  return Math.min(max, configured ?? ownWindow ?? DEFAULT_WINDOW_TOKENS);
}

/** Context size of the loaded model; undefined if none is loaded. */
export async function loadRunningWindow(
  server: OllamaServer,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { models } = (await requestJson(server, "/api/ps", undefined, signal)) ?? {};
  const loaded = (Array.isArray(models) ? models : [])
    .filter(isPlainObject)
    .find(({ name, model }) => isSame(name, server.model) || isSame(model, server.model));
  return typeof loaded?.context_length === "number" ? loaded.context_length : undefined;
}

export async function loadToRun(
  server: OllamaServer,
  window: number,
  signal: AbortSignal,
): Promise<void> {
  const body = { model: server.model, options: { num_ctx: window } };
  await requestJson(server, "/api/generate", body, signal);
}

/** A name without a tag means `latest`. */
function isSame(listed: unknown, requested: string): boolean {
  return listed === requested || listed === `${requested}:latest`;
}

async function requestJson(
  { address, fetch, apiKey }: OllamaServer,
  path: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(address + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "content-type": "application/json",
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
  });
  if (!response.ok) return undefined;
  const answer: unknown = await response.json();
  return isPlainObject(answer) ? answer : undefined;
}
