import { CairnError, messageOf } from "../shared/errors.ts";
import { isPlainObject } from "../shared/json.ts";
import { stripControlLine } from "../shared/text.ts";
import type { ProviderName } from "./model-port.ts";
import { SERVICES } from "./profiles/services.ts";
import { ollamaAddress } from "./providers/ollama-server.ts";

const ANSWER_MS = 10_000;
const MAX_MODELS = 2_000;

export interface ModelListQuestion {
  readonly provider: ProviderName;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Default: Node.js's own. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Names of the models that the provider has, sorted. Throws a CairnError when it does not say. */
export async function listModels(
  question: ModelListQuestion,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { url, headers } = requestOf(question);
  const { fetch: send = fetch } = question;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const response = await send(url, { headers, signal: limit });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const body: unknown = await response.json();
    return namesIn(body);
  } catch (error) {
    signal.throwIfAborted();
    const { apiKey } = question;
    const text = messageOf(error);
    const reason = apiKey === undefined ? text : text.replaceAll(apiKey, "***");
    throw new CairnError(
      "unavailable",
      `${question.provider} does not list its models (${stripControlLine(reason)}).`,
    );
  }
}

function requestOf({ provider, baseUrl, apiKey }: ModelListQuestion): {
  readonly url: string;
  readonly headers: Record<string, string>;
} {
  const { api, label, models, ...service } = SERVICES[provider];
  const own = models?.baseUrl ?? service.baseUrl;
  const address = api === "ollama" ? ollamaAddress(baseUrl) : (baseUrl ?? own);
  // A key made for one service is never sent to another's address.
  if (address === undefined) {
    throw new CairnError(
      "unavailable",
      `${label} does not list its models without "baseUrl" (CAIRN_BASE_URL).`,
    );
  }
  const keyHeader = models?.keyHeader ?? service.keyHeader;
  const name = keyHeader ?? "authorization";
  const value = keyHeader === undefined ? `Bearer ${apiKey}` : apiKey;
  return {
    url: `${base(address)}${models?.path ?? "/models"}`,
    headers: {
      ...models?.headers,
      ...(value !== undefined && apiKey !== undefined && { [name]: value }),
    },
  };
}

function base(url: string): string {
  return url.replace(/\/+$/, "");
}

function namesIn(body: unknown): readonly string[] {
  const list = isPlainObject(body) ? (body.data ?? body.models) : body;
  if (!Array.isArray(list)) throw new Error("the answer holds no list");
  const names = list.flatMap((model: unknown) => {
    const name = isPlainObject(model) ? (model.id ?? model.name) : model;
    return typeof name === "string" ? [stripControlLine(name.replace(/^models\//, ""))] : [];
  });
  return [...new Set(names)].sort().slice(0, MAX_MODELS);
}
