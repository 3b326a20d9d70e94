import { converseEffort } from "../effort.ts";
import { bareName } from "../profiles/find-model.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";
import { awsLogIn, awsRegion } from "./aws-log-in.ts";
import { asMessages } from "./messages.ts";
import { withoutTrials } from "./without-trials.ts";

/** Claude by its own Messages API, all others by Converse; keys and roles as AWS's tools find them. */
export async function loadBedrock(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { apiKey, fetch, model, asked } = endpoint;
  const region = await awsRegion();
  const logIn = apiKey === undefined ? awsLogIn() : undefined;
  const settings = {
    fetch,
    ...(region !== undefined && { region }),
    ...(apiKey !== undefined && { apiKey }),
    ...(logIn !== undefined && { credentialProvider: logIn }),
  };
  if (bareName(model).startsWith("claude-")) {
    const { createBedrockAnthropic } = await import("@ai-sdk/amazon-bedrock/anthropic");
    const shared = asMessages({ ...endpoint, baseUrl: "bedrock" });
    return { model: withoutTrials(createBedrockAnthropic(settings)(model)), ...shared };
  }
  const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
  const options = { bedrock: converseEffort(asked) };
  return { model: createAmazonBedrock(settings)(model), forgetsThought: true, options };
}
