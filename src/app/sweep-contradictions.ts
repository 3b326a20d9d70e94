import { messageOf } from "../shared/errors.ts";
import type { App } from "./assemble-app.ts";
import { runRegularly } from "./run-regularly.ts";

const LOOKED_EVERY_MS = 60 * 1000;
/** So often, every database is looked at; else those that are used. */
const ALL_EVERY = 60;

/** Finds what contradicts farther layers in one database or all, and no write looked for. */
export async function sweepContradictions(app: App, db?: string): Promise<number> {
  if (!app.store.hasLayers) return 0;
  const names = db === undefined ? (await app.store.list()).map(({ name }) => name) : [db];
  let found = 0;
  for (const name of names) found += await app.store.open(name).sweepContradictions();
  return found;
}

/** Has a server look as long as it runs, where there are layers. Returns the ending. */
export function sweepContradictionsRegularly(app: App): () => Promise<void> {
  if (app.store.isReadOnly || !app.store.hasLayers) return async () => {};
  let round = 0;
  return runRegularly({
    everyMs: LOOKED_EVERY_MS,
    async work() {
      const isOfAll = round % ALL_EVERY === 0;
      round += 1;
      if (isOfAll) await sweepContradictions(app);
      else for (const memory of app.store.inUse()) await memory.sweepContradictions();
    },
    onError: (error) =>
      app.logger.warn(`What contradicts farther layers was not looked for: ${messageOf(error)}`),
  });
}
