import { Identity, identityPlace } from "../access/identity/index.ts";
import type { MemoryStore } from "../memory/index.ts";
import { isCairnError } from "../shared/errors.ts";
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
    onLeft: async ({ own_database: own }) => {
      if (settings.leaving === "bin") await binDatabase(store, own);
    },
  });
}

/** What one person alone had; nothing where they had none. */
export async function binDatabase(store: MemoryStore, name: string): Promise<void> {
  await store.remove(name).catch((error: unknown) => {
    if (!isCairnError(error) || error.code !== "not_found") throw error;
  });
}
