import { findContextWindow } from "./context-window.ts";
import { placeImages, seesImages } from "./images.ts";
import { listModels } from "./list-models.ts";
import { missingKey } from "./missing-key.ts";
import type { ModelClient } from "./model-port.ts";
import { findPrice } from "./price.ts";
import { PROVIDER_TABLE } from "./provider.ts";
import { loadSdk, requestAnswer } from "./request-answer.ts";
import { withRetries } from "./retry.ts";
import type { LlmSettings } from "./settings.ts";

export function createModelClient(settings: LlmSettings): ModelClient {
  const { provider: name, baseUrl, apiKey } = settings;
  const provider = PROVIDER_TABLE[name];
  const model = settings.model ?? provider.defaultModel;
  const sees = seesImages(model, settings.vision);
  let window: Promise<number | undefined> | undefined;
  let loaded: ReturnType<typeof provider.load> | undefined;

  const load = () => {
    loaded ??= provider.load({ model, baseUrl, apiKey, effort: settings.effort });
    return loaded;
  };

  return {
    provider: name,
    model,
    effort: settings.effort,
    seesImages: sees,
    price: findPrice({ provider: name, model, configured: settings.prices }),
    withModel: (other) => createModelClient({ ...settings, model: other }),
    withEffort: (effort) => createModelClient({ ...settings, effort }),
    models: (signal) => listModels({ provider: name, baseUrl, apiKey }, signal),
    contextWindow(signal) {
      const question = { provider: name, model, baseUrl, configured: settings.contextWindow };
      window ??= findContextWindow(question, signal).catch((error) => {
        window = undefined;
        throw error;
      });
      return window;
    },
    async prepare() {
      if (provider.needsKey && apiKey === undefined) return;
      await Promise.all([load(), loadSdk()]).catch(() => undefined);
    },
    async answer(request) {
      if (provider.needsKey && apiKey === undefined) throw missingKey(name);
      const languageModel = await load();
      const inResults = languageModel.imagesInResults === true;
      const messages = placeImages(request.messages, { sees, inResults });
      return withRetries(
        { maxRetries: settings.maxRetries, provider: name, model, secret: apiKey, request },
        (onText) =>
          requestAnswer(languageModel, { ...request, messages, onText }, settings.idleTimeoutMs),
      );
    },
  };
}
