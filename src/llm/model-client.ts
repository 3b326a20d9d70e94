import type { ModelMessage } from "ai";
import { sleep } from "../shared/async.ts";
import { CairnError, isCairnError, messageOf } from "../shared/errors.ts";
import { findPublished, readPublished } from "./cache/published-models.ts";
import { ServiceNotes } from "./cache/service-notes.ts";
import { hasKey } from "./has-key.ts";
import { placeImages, removeImages, seesImages } from "./images.ts";
import { keyFromCommand } from "./key-from-command.ts";
import {
  listModels,
  type ModelAnswer,
  type ModelClient,
  type ModelRequest,
  type ProviderName,
} from "./model-port.ts";
import { outgoingFetch } from "./outgoing-fetch.ts";
import { findPrice } from "./price.ts";
import { findModel, PRICES_CHECKED_AT } from "./profiles/find-model.ts";
import { SERVICES } from "./profiles/services.ts";
import { loadModel } from "./provider.ts";
import type { LoadedModel } from "./provider-endpoint.ts";
import { describeFailure, isImageRefusal, toShownError } from "./provider-error.ts";
import {
  chooseWindow,
  loadModelDetails,
  loadRunningWindow,
  loadToRun,
  ollamaAddress,
} from "./providers/ollama-server.ts";
import { loadSdk, requestAnswer } from "./request-answer.ts";
import type { LlmSettings } from "./settings.ts";

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
const MAX_RETRY_AFTER_MS = 120_000;

interface RetryPolicy {
  readonly maxRetries: number;
  readonly provider: string;
  readonly model: string;
  readonly secret: string | undefined;
  readonly request: ModelRequest;
}

/**
 * Retries transient failures while nothing was shown or the caller can discard it. Throws the
 * CairnError to show or the signal's reason.
 */
async function withRetries(
  policy: RetryPolicy,
  attempt: (onText: (text: string) => void) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const { request } = policy;
  for (let retries = 0; ; retries += 1) {
    let hasEmitted = false;
    try {
      return await attempt((text) => {
        hasEmitted = true;
        request.onText?.(text);
      });
    } catch (error) {
      request.signal.throwIfAborted();
      // Expected errors such as timeouts are not retried.
      if (isCairnError(error)) throw error;
      const failure = describeFailure(error);
      const isBilled = hasEmitted || (failure.status === undefined && !isUnreachableError(error));
      const wait = waitBeforeRetry(retries, failure.retryAfterMs);
      const canRepeat = !hasEmitted || request.onRestart !== undefined;
      const worthTrying = failure.transient && canRepeat && wait !== undefined;
      if (!worthTrying || retries >= policy.maxRetries) {
        throw Object.assign(toShownError(error, policy), { failedAttempt: { isBilled } });
      }
      request.onFailedAttempt?.({ isBilled });
      if (hasEmitted) request.onRestart?.();
      const reason = failure.status === undefined ? failure.message : `status ${failure.status}`;
      request.onRetry?.(
        `The model request failed (${reason}); retrying in ${formatSeconds(wait)} s ` +
          `(${retries + 1} of ${policy.maxRetries}).`,
      );
      await sleep(wait, request.signal);
      request.onNextAttempt?.();
    }
  }
}

function isUnreachableError(error: unknown): boolean {
  const text = `${messageOf(error)} ${error instanceof Error ? messageOf(error.cause) : ""}`;
  return /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|Cannot connect to API/.test(text);
}

/** Undefined if the requested delay is too long. */
function waitBeforeRetry(retries: number, retryAfterMs: number | undefined): number | undefined {
  if (retryAfterMs !== undefined) {
    return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : retryAfterMs;
  }
  const full = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** retries);
  // Jitter, so that threads do not retry simultaneously.
  return full / 2 + Math.random() * (full / 2);
}

function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

const MAX_RETRIES = 4;

interface WindowQuestion {
  readonly provider: ProviderName;
  readonly model: string;
  readonly baseUrl: string | undefined;
  /** From the config; a local server's actual value takes precedence. */
  readonly configured: number | undefined;
  readonly apiKey?: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
}

/** Context window in tokens; undefined if unknown. */
export async function findContextWindow(
  question: WindowQuestion,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { provider, model, configured } = question;
  if (SERVICES[provider].api !== "ollama") return configured ?? findModel(model).window;
  return (await loadOllamaWindow(question, signal)) ?? configured ?? findModel(model).window;
}

async function loadOllamaWindow(
  { model, baseUrl, configured, apiKey, fetch = globalThis.fetch }: WindowQuestion,
  signal: AbortSignal,
): Promise<number | undefined> {
  const key = apiKey === undefined ? {} : { apiKey };
  const server = { address: ollamaAddress(baseUrl), model, fetch, ...key };
  const within = (milliseconds: number) =>
    AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
  try {
    const details = await loadModelDetails(server, within(RESPONSE_TIMEOUT_MS));
    if (details === undefined) return await loadRunningWindow(server, within(RESPONSE_TIMEOUT_MS));
    const requested = chooseWindow(details, configured);
    await loadToRun(server, requested, within(LOADING_TIMEOUT_MS));
    return (await loadRunningWindow(server, within(RESPONSE_TIMEOUT_MS))) ?? requested;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

const RESPONSE_TIMEOUT_MS = 2_000;
/** Loading a large model from a slow disk takes time. */
const LOADING_TIMEOUT_MS = 120_000;

const MAX_BYTES = 32_000_000;
const TIMEOUT_MS = 20_000;

interface RefreshOptions {
  readonly notes: ServiceNotes;
  readonly url: string;
  readonly name: string;
  readonly fetch: typeof globalThis.fetch;
}

async function refreshModels({ notes, url, name, fetch }: RefreshOptions): Promise<void> {
  if (!notes.isOld) return;
  notes.noteModels(undefined);
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { signal, redirect: "error" });
    if (!response.ok || Number(response.headers.get("content-length") ?? 0) > MAX_BYTES) {
      await response.body?.cancel();
      return;
    }
    const models = readPublished(await readTextWithin(response), name);
    if (Object.keys(models).length > 0) notes.noteModels(models);
  } catch {
    // Expected: no network, or an unknown format.
  }
}

async function readTextWithin(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_BYTES) throw new Error("too long");
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

const PUBLISHED_MODELS_URL = "https://models.dev/api.json";
/** Silence of a provider after which a request is aborted. */
const IDLE_TIMEOUT_MS = 240_000;

export interface ModelClientOptions {
  readonly idleTimeoutMs?: number;
  /** Model table in models.dev format. */
  readonly modelDataUrl?: string;
}

interface LearnedState {
  readonly options: ModelClientOptions;
  readonly refused: Set<string>;
  readonly notes: ServiceNotes;
  key?: Promise<string>;
}

/** `notesFile` persists learned facts about services; absent: not persisted. */
export function createModelClient(
  settings: LlmSettings,
  notesFile?: string,
  options: ModelClientOptions = {},
): ModelClient {
  const { provider, baseUrl = "" } = settings;
  const notes = new ServiceNotes(notesFile, `${provider} ${baseUrl}`.trim());
  return createClient(settings, { refused: new Set(notes.refused), notes, options });
}

async function resolveServiceKey(
  { apiKey, apiKeyCommand }: LlmSettings,
  learned: LearnedState,
): Promise<string | undefined> {
  if (apiKey !== undefined || apiKeyCommand === undefined) return apiKey;
  learned.key ??= keyFromCommand(apiKeyCommand);
  try {
    return await learned.key;
  } catch (error) {
    delete learned.key;
    throw error;
  }
}

async function refreshPublished(
  settings: LlmSettings,
  { notes, options }: LearnedState,
): Promise<void> {
  const { modelData, provider, baseUrl } = settings;
  const { modelDataUrl: url = PUBLISHED_MODELS_URL } = options;
  const { proxy, noProxy } = settings;
  const service = SERVICES[provider];
  const { publishedAs = provider } = service;
  const isRequested = modelData === "daily" || (baseUrl === undefined && service.isFree !== true);
  if (modelData === "off" || !isRequested || publishedAs === null || !notes.isStored) return;
  const plain = outgoingFetch({ proxy, noProxy, headers: {}, refused: new Set() });
  await refreshModels({ notes, url, name: publishedAs, fetch: plain });
}

function createClient(settings: LlmSettings, learned: LearnedState): ModelClient {
  const { provider: name, baseUrl } = settings;
  const service = SERVICES[name];
  const model = settings.model ?? service.defaultModel;
  const published = findPublished(learned.notes.models, model);
  const hasVision = seesImages(model, settings.vision ?? published?.sees);
  let window: Promise<number | undefined> | undefined;
  let loaded: Promise<LoadedModel> | undefined;

  const { proxy, noProxy, headers, apiKeyCommand } = settings;
  const fetch = outgoingFetch({ proxy, noProxy, headers, refused: learned.refused });
  const { idleTimeoutMs = IDLE_TIMEOUT_MS } = learned.options;
  const effortRequest = {
    effort: settings.effort,
    form: service.effort ?? findModel(model).effort,
  };

  const getKey = () => resolveServiceKey(settings, learned);
  const load = () => {
    loaded ??= getKey()
      .then((apiKey) => {
        const { contextWindow } = settings;
        const endpoint = {
          model,
          baseUrl,
          apiKey,
          requestedEffort: effortRequest,
          contextWindow,
          fetch,
        };
        return loadModel(service, endpoint, settings.api);
      })
      .catch((error) => {
        loaded = undefined;
        throw error;
      });
    return loaded;
  };

  return {
    provider: name,
    model,
    effort: settings.effort,
    seesImages: hasVision,
    price: findPrice({
      ...{ provider: name, model, configured: settings.prices },
      published: published?.price,
    }),
    knownAt: learned.notes.modelsAt ?? PRICES_CHECKED_AT,
    withModel: (other) => createClient({ ...settings, model: other }, learned),
    withEffort: (effort) => createClient({ ...settings, effort }, learned),
    models: async (signal) =>
      listModels({ provider: name, baseUrl, apiKey: await getKey(), fetch }, signal),
    contextWindow(signal) {
      const { contextWindow, apiKey } = settings;
      const configured = contextWindow ?? published?.window;
      const question = { provider: name, model, baseUrl, configured, apiKey, fetch };
      window ??= findContextWindow(question, signal).catch((error) => {
        window = undefined;
        throw error;
      });
      return window;
    },
    async prepare() {
      void refreshPublished(settings, learned);
      if (!hasKey(settings) || apiKeyCommand !== undefined) return;
      await Promise.all([load(), loadSdk()]).catch(() => undefined);
    },
    async answer(request) {
      if (!hasKey(settings)) throw missingKeyError(name);
      const languageModel = await load();
      const inResults = languageModel.imagesInResults === true;
      const rejectedCount = learned.refused.size;
      const secret = await getKey();
      const send = (sent: ModelRequest) => {
        const withImages = placeImages(sent.messages, { acceptsImages: hasVision, inResults });
        const messages =
          languageModel.forgetsThought === true ? removeThoughts(withImages) : withImages;
        return withRetries(
          {
            maxRetries: settings.maxRetries ?? MAX_RETRIES,
            provider: name,
            model,
            secret,
            request: sent,
          },
          (onText) => requestAnswer(languageModel, { ...sent, messages, onText }, idleTimeoutMs),
        );
      };
      const answer = await send(request).catch((error: unknown) => {
        const messages = removeImages(request.messages);
        const cause = isCairnError(error) ? error.cause : error;
        if (!hasVision || messages === request.messages || !isImageRefusal(cause)) throw error;
        request.onRetry?.(`${name} rejected the images: the conversation continues without them.`);
        request.onImagesRefused?.();
        request.onFailedAttempt?.({ isBilled: false });
        request.onNextAttempt?.();
        return send({ ...request, messages });
      });
      const fresh = [...learned.refused].slice(rejectedCount);
      if (fresh.length > 0) {
        learned.notes.noteRefused(fresh);
        request.onRetry?.(`${name} rejected ${fresh.join(", ")}: later requests omit it.`);
      }
      return answer;
    },
  };
}

/** Removes reasoning parts for services that reject them. */
function removeThoughts(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== "assistant" || typeof message.content === "string") return message;
    const content = message.content.filter(({ type }) => type !== "reasoning");
    return { ...message, content: content.length === 0 ? "(no answer)" : content };
  });
}

function missingKeyError(provider: ProviderName): CairnError {
  return new CairnError(
    "unavailable",
    `The agent has no model yet. No API key for ${provider}: run \`cairn\` in a terminal to choose a model, or set CAIRN_API_KEY, or "apiKey" in ~/.config/cairn/config.json. ` +
      'To choose another provider, set CAIRN_PROVIDER or "provider"; ollama and openai-compatible ' +
      'need no key. The memory works without a model: use `cairn recall "…"` and `cairn remember "…"`, ' +
      "or run `cairn connect` to add it to another agent.",
  );
}
