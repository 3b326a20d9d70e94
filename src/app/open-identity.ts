import { Identity, identityPlace } from "../access/identity/index.ts";
import type { App } from "./assemble-app.ts";

/** Where people log in with their company's account; undefined where the settings say nothing of it. */
export function openIdentity({ config, store, logger }: Pick<App, "config" | "store" | "logger">) {
  const settings = config.settings.identity;
  const place = identityPlace(settings);
  if (place === undefined) return undefined;
  const { records, tokens } = store;
  return new Identity(place, {
    settings,
    records,
    tokens,
    logger,
  });
}
