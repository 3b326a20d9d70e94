import { CairnError, invalidInput, messageOf } from "../../../shared/errors.ts";
import { shortenLine } from "../../../shared/text.ts";
import type { FoundPage, SearchRequest, SearchService } from "./search-service.ts";
import type { WebSearchSettings } from "./search-services.ts";
import { SEARCH_SERVICES } from "./search-services.ts";

const ANSWER_MS = 20_000;
const MAX_BYTES = 2 * 1024 * 1024;
const SHOWN_OF_ERROR = 300;

export interface WebSearchOptions {
  readonly settings: WebSearchSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
}

export interface WebSearch {
  readonly host: string;
  /** Throws a CairnError to show, or the signal's reason. */
  search(query: string, count: number, signal: AbortSignal): Promise<readonly FoundPage[]>;
}

/**
 * Undefined without a configured service. Throws invalid_input if its address or key is missing.
 */
export function openWebSearch(options: WebSearchOptions): WebSearch | undefined {
  const { service: name, url, apiKey } = options.settings;
  if (name === undefined) return undefined;
  const service: SearchService = SEARCH_SERVICES[name];
  const { address: usual, keyVariable } = service;
  const address = url ?? usual;
  if (address === undefined) {
    throw invalidInput(`webSearch.url: ${name} is a server of your own; say where it is.`);
  }
  const value = apiKey ?? (keyVariable && options.environment[keyVariable]);
  if (keyVariable !== undefined && !value) {
    throw invalidInput(`webSearch.apiKey: ${name} needs a key. Set it or ${keyVariable}.`);
  }
  const { host } = new URL(address);
  return {
    host,
    async search(query, count, signal) {
      const ask = { address: new URL(address), key: value ?? "", query, count };
      const limit = AbortSignal.timeout(ANSWER_MS);
      const answer = await send(options.fetch, service.request(ask), {
        host,
        signal: AbortSignal.any([signal, limit]),
      }).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof CairnError) throw error;
        const why = limit.aborted
          ? `did not answer within ${ANSWER_MS / 1000} s`
          : `cannot be reached: ${messageOf(error)}`;
        throw new CairnError("unavailable", `${host} ${why}.`);
      });
      return read(service, answer, host).slice(0, count);
    },
  };
}

async function send(
  fetch: typeof globalThis.fetch,
  { url, method, headers, body }: SearchRequest,
  { host, signal }: { readonly host: string; readonly signal: AbortSignal },
): Promise<string> {
  // A key is never sent to another address.
  const response = await fetch(url, {
    method,
    headers,
    redirect: "manual",
    signal,
    ...(body !== undefined && { body }),
  });
  const text = await readBody(response, host);
  if (response.ok) return text;
  throw new CairnError("unavailable", `${host} ${refusal(response.status, text)}`);
}

function refusal(status: number, text: string): string {
  if (status >= 300 && status < 400) {
    return "answered with another address, which is not followed; correct webSearch.url.";
  }
  const message = shortenLine(text.trim(), SHOWN_OF_ERROR);
  const words = message === "" ? "" : ` It says: ${message}`;
  if (status === 401 || status === 403) {
    return `refused the search (status ${status}); check its key, and that a SearXNG allows the format json.${words}`;
  }
  if (status === 429) return `has had enough searches for now (status 429); try later.${words}`;
  return `answered with status ${status}.${words}`;
}

async function readBody(response: Response, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) {
      throw new CairnError("too_large", `${host} answered with more than 2 MiB.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function read(service: SearchService, answer: string, host: string): readonly FoundPage[] {
  try {
    return service.read(JSON.parse(answer));
  } catch (error) {
    throw new CairnError(
      "unavailable",
      `${host} answered in another form than a search of this service does.`,
      { cause: error },
    );
  }
}
