import { findContextWindow } from "./context-window.ts";
import { hasKey } from "./has-key.ts";
import { placeImages, seesImages } from "./images.ts";
import { keyFromCommand } from "./key-from-command.ts";
import { listModels } from "./list-models.ts";
import { missingKey } from "./missing-key.ts";
import type { ModelClient } from "./model-port.ts";
import { outgoingFetch } from "./outgoing-fetch.ts";
import { findPrice } from "./price.ts";
import { findModel } from "./profiles/find-model.ts";
import { SERVICES } from "./profiles/services.ts";
import { loadModel } from "./provider.ts";
import type { LoadedModel } from "./provider-endpoint.ts";
import { loadSdk, requestAnswer } from "./request-answer.ts";
import { withRetries } from "./retry.ts";
import type { LlmSettings } from "./settings.ts";
import { withoutThought } from "./without-thought.ts";

/** What is learnt of a service and holds for all its models. */
interface Learnt {
  /** Fields that it refused. */
  readonly refused: Set<string>;
  /** What `apiKeyCommand` printed. */
  key?: Promise<string>;
}

export function createModelClient(
  settings: LlmSettings,
  learnt: Learnt = { refused: new Set() },
): ModelClient {
  const { provider: name, baseUrl } = settings;
  const service = SERVICES[name];
  const model = settings.model ?? service.defaultModel;
  const sees = seesImages(model, settings.vision);
  let window: Promise<number | undefined> | undefined;
  let loaded: Promise<LoadedModel> | undefined;

  const { proxy, noProxy, headers, apiKeyCommand } = settings;
  const fetch = outgoingFetch({ proxy, noProxy, headers, refused: learnt.refused });
  const asked = { effort: settings.effort, form: service.effort ?? findModel(model).effort };

  const keyOf = async () => {
    if (settings.apiKey !== undefined || apiKeyCommand === undefined) return settings.apiKey;
    learnt.key ??= keyFromCommand(apiKeyCommand);
    try {
      return await learnt.key;
    } catch (error) {
      delete learnt.key;
      throw error;
    }
  };
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
    price: findPrice({ provider: name, model, configured: settings.prices }),
    withModel: (other) => createModelClient({ ...settings, model: other }, learnt),
    withEffort: (effort) => createModelClient({ ...settings, effort }, learnt),
    models: async (signal) =>
      listModels({ provider: name, baseUrl, apiKey: await keyOf(), fetch }, signal),
    contextWindow(signal) {
      const { contextWindow: configured, apiKey } = settings;
      const question = { provider: name, model, baseUrl, configured, apiKey, fetch };
      window ??= findContextWindow(question, signal).catch((error) => {
        window = undefined;
        throw error;
      });
      return window;
    },
    async prepare() {
      if (!hasKey(settings) || apiKeyCommand !== undefined) return;
      await Promise.all([load(), loadSdk()]).catch(() => undefined);
    },
    async answer(request) {
      if (!hasKey(settings)) throw missingKey(name);
      const languageModel = await load();
      const inResults = languageModel.imagesInResults === true;
      const placed = placeImages(request.messages, { sees, inResults });
      const messages = languageModel.forgetsThought === true ? withoutThought(placed) : placed;
      const refused = learnt.refused.size;
      const secret = await keyOf();
      const answer = await withRetries(
        { maxRetries: settings.maxRetries, provider: name, model, secret, request },
        (onText) =>
          requestAnswer(languageModel, { ...request, messages, onText }, settings.idleTimeoutMs),
      );
      tellRefused([...learnt.refused].slice(refused), request.onRetry);
      return answer;
    },
  };

  function tellRefused(fields: readonly string[], tell: ((message: string) => void) | undefined) {
    if (fields.length === 0) return;
    tell?.(`${name} refuses ${fields.join(", ")}: it is asked without from now on.`);
  }
}
