import type { LanguageModel, streamText } from "ai";
import type { Effort } from "./effort.ts";

/** Where a request goes. */
export interface ProviderEndpoint {
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly effort?: Effort | undefined;
}

export interface LoadedModel {
  readonly model: LanguageModel;
  /** Images may stand in the results of tools. */
  readonly imagesInResults?: true;
  /** Sent with every request. */
  readonly options?: NonNullable<Parameters<typeof streamText>[0]["providerOptions"]>;
}
