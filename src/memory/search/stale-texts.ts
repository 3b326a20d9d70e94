import { setImmediate } from "node:timers/promises";
import type { Database } from "../../database/index.ts";
import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import { convertDamage, type DamageWarnings, DerivedDamage } from "./derived-damage.ts";
import { countsAreWrong, recountTexts, refreshTexts, textsAreStale } from "./match-texts.ts";

interface StaleTextsOptions {
  readonly database: Database;
  readonly damage: DamageWarnings;
  readonly logger: Logger;
}

export class StaleTexts {
  readonly #options: StaleTextsOptions;
  #areFresh = false;

  constructor(options: StaleTextsOptions) {
    this.#options = options;
  }

  async refreshAll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.refreshSome())) await setImmediate();
  }

  /** Reindexes a batch and returns whether more remain. The doctor reports a damaged index. */
  async refreshSome(): Promise<boolean> {
    if (this.#areFresh) return false;
    const { database, damage, logger } = this.#options;
    if (!(await database.isCurrent())) return false;
    try {
      const stale = await database.read((tx) => textsAreStale(tx));
      const more = stale && (await database.write((tx) => refreshTexts(tx)));
      this.#areFresh = !more;
      if (!more) await convertDamage("text index", () => this.#recount());
      return more;
    } catch (error) {
      this.#areFresh = true;
      if (error instanceof DerivedDamage) damage.warn(error.part);
      else logger.warn(`The text index could not be updated: ${messageOf(error)}`);
      return false;
    }
  }

  async #recount(): Promise<void> {
    const { database } = this.#options;
    if (await database.read(countsAreWrong)) await database.write(recountTexts);
  }
}
