import type { Service } from "../../agent/index.ts";

export interface ProviderChoice {
  /** As in the config. */
  readonly provider: string;
  readonly label: string;
  readonly needsKey: boolean;
  /** The variable of the provider's own tools that may hold a key. */
  readonly keyVariable?: string;
  /** Asks for the address, which each customer has an own one of; an example. */
  readonly exampleUrl?: string;
  /** Where a key is made. */
  readonly keyPage?: string;
  /** Offered first. */
  readonly model: string;
}

interface OfferedFirst {
  readonly label: string;
  /** The address that is known of it is only an example. */
  readonly asksForAddress?: true;
}

/** Offered by themselves, in this order and in words that tell them apart. */
const OFFERED_FIRST: Readonly<Record<string, OfferedFirst>> = {
  ollama: { label: "Ollama" },
  anthropic: { label: "Anthropic, with an API key" },
  openai: { label: "OpenAI, with an API key" },
  google: { label: "Google, with an API key" },
  "openai-compatible": {
    label: "Any server that speaks OpenAI's protocol, by its URL",
    asksForAddress: true,
  },
};

/** Services by name, as they are known. */
export type KnownServices = Readonly<Record<string, Service>>;

/** Ollama, the makers of models, and a server of a person's own. */
export function firstChoices(services: KnownServices): readonly ProviderChoice[] {
  return Object.entries(OFFERED_FIRST).flatMap(([provider, { label, asksForAddress }]) => {
    const service = services[provider];
    if (service === undefined) return [];
    const exampleUrl = asksForAddress === true ? service.baseUrl : undefined;
    return [
      { ...choiceOf(provider, service), label, ...(exampleUrl !== undefined && { exampleUrl }) },
    ];
  });
}

/** All others. */
export function serviceChoices(services: KnownServices): readonly ProviderChoice[] {
  return Object.entries(services)
    .filter(([provider]) => !Object.hasOwn(OFFERED_FIRST, provider))
    .map(([provider, service]) => choiceOf(provider, service));
}

function choiceOf(provider: string, service: Service): ProviderChoice {
  const { label, defaultModel: model, keyVariable, exampleUrl, keyPage } = service;
  return {
    ...{ provider, label, model },
    needsKey: keyVariable !== undefined && service.keyIsOptional !== true,
    ...(keyVariable !== undefined && { keyVariable }),
    ...(exampleUrl !== undefined && { exampleUrl }),
    ...(keyPage !== undefined && { keyPage }),
  };
}
