/**
 * The library declares a trial of structured outputs (a header, in Bedrock's requests a field) with
 * every tool. Nothing here asks for any, and clouds and gateways refuse the declaration.
 */
export function withoutTrials<Model extends object>(model: Model): Model {
  const { config } = model as { readonly config?: object };
  if (config !== undefined) Object.assign(config, { supportsNativeStructuredOutput: false });
  return model;
}
