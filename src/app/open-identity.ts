import { Identity, identityEndpoints } from "../access/identity/index.ts";
import type { App } from "./assemble-app.ts";

export function openIdentity({ config, store, logger }: Pick<App, "config" | "store" | "logger">) {
  const settings = config.settings.identity;
  const location = identityEndpoints(settings);
  if (location === undefined) return undefined;
  const { records, tokens } = store;
  return new Identity(location, {
    settings,
    records,
    tokens,
    logger,
  });
}
