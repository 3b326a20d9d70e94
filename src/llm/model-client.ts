import { isCairnError } from "../shared/errors.ts";
import { findContextWindow } from "./context-window.ts";
import { hasKey } from "./has-key.ts";
import { placeImages, seesImages, withoutImages } from "./images.ts";
import { findPublished } from "./kept/published-models.ts";
import { refreshModels } from "./kept/refresh-models.ts";
import { ServiceNotes } from "./kept/service-notes.ts";
import { keyFromCommand } from "./key-from-command.ts";
import { listModels } from "./list-models.ts";
import { missingKey } from "./missing-key.ts";
import type { ModelClient, ModelRequest } from "./model-port.ts";
import { outgoingFetch } from "./outgoing-fetch.ts";
import { findPrice } from "./price.ts";
import { findModel } from "./profiles/find-model.ts";
import { HELD_AT } from "./profiles/models.ts";
import { SERVICES } from "./profiles/services.ts";
import { loadModel } from "./provider.ts";
import type { LoadedModel } from "./provider-endpoint.ts";
import { isImageRefusal } from "./provider-error.ts";
import { loadSdk, requestAnswer } from "./request-answer.ts";
import { withRetries } from "./retry.ts";
import type { LlmSettings } from "./settings.ts";
import { withoutThought } from "./without-thought.ts";

const PUBLISHED_AT = "https://models.dev/api.json";

/** What is learnt of a service and holds for all its models. */
interface Learnt {
  /** Fields that it refused. */
  readonly refused: Set<string>;
  /** The same, kept for the next time, and what is published of its models. */
  readonly notes: ServiceNotes;
  /** What `apiKeyCommand` printed. */
  key?: Promise<string>;
}

/** `notesFile`: where it is kept what is learnt of services; absent: it is forgotten. */
export function createModelClient(settings: LlmSettings, notesFile?: string): ModelClient {
  const { provider, baseUrl = "" } = settings;
  const notes = new ServiceNotes(notesFile, `${provider} ${baseUrl}`.trim());
  return clientOf(settings, { refused: new Set(notes.refused), notes });
}

/** The key of the settings, or what their command prints, asked once. */
async function serviceKey(
  { apiKey, apiKeyCommand }: LlmSettings,
  learnt: Learnt,
): Promise<string | undefined> {
  if (apiKey !== undefined || apiKeyCommand === undefined) return apiKey;
  learnt.key ??= keyFromCommand(apiKeyCommand);
  try {
    return await learnt.key;
  } catch (error) {
    delete learnt.key;
    throw error;
  }
}

/** Reads what is published of models; what comes is known to the clients that are made from then on. */
async function refreshPublished(settings: LlmSettings, { notes }: Learnt): Promise<void> {
  const { modelData, modelDataUrl: url = PUBLISHED_AT, provider, baseUrl } = settings;
  const { proxy, noProxy } = settings;
  const service = SERVICES[provider];
  const { publishedAs = provider } = service;
  const isWanted = modelData === "daily" || (baseUrl === undefined && service.isFree !== true);
  if (modelData === "off" || !isWanted || publishedAs === null || !notes.isKept) return;
  const plain = outgoingFetch({ proxy, noProxy, headers: {}, refused: new Set() });
  await refreshModels({ notes, url, name: publishedAs, fetch: plain });
}

function clientOf(settings: LlmSettings, learnt: Learnt): ModelClient {
  const { provider: name, baseUrl } = settings;
  const service = SERVICES[name];
  const model = settings.model ?? service.defaultModel;
  const published = findPublished(learnt.notes.models, model);
  const sees = seesImages(model, settings.vision ?? published?.sees);
  let window: Promise<number | undefined> | undefined;
  let loaded: Promise<LoadedModel> | undefined;

  const { proxy, noProxy, headers, apiKeyCommand } = settings;
  const fetch = outgoingFetch({ proxy, noProxy, headers, refused: learnt.refused });
  const asked = { effort: settings.effort, form: service.effort ?? findModel(model).effort };

  const keyOf = () => serviceKey(settings, learnt);
  const load = () => {
    loaded ??= keyOf()
      .then((apiKey) => {
        const { contextWindow } = settings;
        const endpoint = { model, baseUrl, apiKey, asked, contextWindow, fetch };
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
    seesImages: sees,
    price: findPrice({
      ...{ provider: name, model, configured: settings.prices },
      published: published?.price,
    }),
    knownAt: learnt.notes.modelsAt ?? HELD_AT,
    withModel: (other) => clientOf({ ...settings, model: other }, learnt),
    withEffort: (effort) => clientOf({ ...settings, effort }, learnt),
    models: async (signal) =>
      listModels({ provider: name, baseUrl, apiKey: await keyOf(), fetch }, signal),
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
      void refreshPublished(settings, learnt);
      if (!hasKey(settings) || apiKeyCommand !== undefined) return;
      await Promise.all([load(), loadSdk()]).catch(() => undefined);
    },
    async answer(request) {
      if (!hasKey(settings)) throw missingKey(name);
      const languageModel = await load();
      const inResults = languageModel.imagesInResults === true;
      const refused = learnt.refused.size;
      const secret = await keyOf();
      const send = (sent: ModelRequest) => {
        const placed = placeImages(sent.messages, { sees, inResults });
        const messages = languageModel.forgetsThought === true ? withoutThought(placed) : placed;
        return withRetries(
          { maxRetries: settings.maxRetries, provider: name, model, secret, request: sent },
          (onText) =>
            requestAnswer(languageModel, { ...sent, messages, onText }, settings.idleTimeoutMs),
        );
      };
      const answer = await send(request).catch((error: unknown) => {
        const messages = withoutImages(request.messages);
        const cause = isCairnError(error) ? error.cause : error;
        if (!sees || messages === request.messages || !isImageRefusal(cause)) throw error;
        request.onRetry?.(`${name} refuses the images: the conversation continues without them.`);
        request.onImagesRefused?.();
        request.onFailedAttempt?.({ isBilled: false });
        request.onNextAttempt?.();
        return send({ ...request, messages });
      });
      const fresh = [...learnt.refused].slice(refused);
      if (fresh.length > 0) {
        learnt.notes.noteRefused(fresh);
        request.onRetry?.(`${name} refuses ${fresh.join(", ")}: it is asked without from now on.`);
      }
      return answer;
    },
  };
}
