import { type Database, SqliteDatabase } from "../database/index.ts";
import { type Caller, requireScope } from "../shared/caller.ts";
import { systemClock } from "../shared/clock.ts";
import { Stop } from "../shared/deadline.ts";
import { CairnError, invalidInput, isCairnError, notFound } from "../shared/errors.ts";
import { displayLocation } from "../shared/files.ts";
import { readErasingMark, removeErasingMark } from "./context/erasure-marker.ts";
import type { MemoryOptions } from "./memory-options.ts";
import {
  type OperationCall,
  type OperationEnvironment,
  runOperation,
} from "./operations/run-operation.ts";

export class MemoryDatabase {
  readonly #options: MemoryOptions;
  readonly #environment: OperationEnvironment;
  #wasThere = false;
  #empty: Database | undefined;

  constructor(options: MemoryOptions, environment: OperationEnvironment) {
    this.#options = options;
    this.#environment = environment;
  }

  get itself(): Database {
    return this.#options.database;
  }

  async exists(): Promise<boolean> {
    const isThere = await this.itself.exists();
    this.#wasThere ||= isThere;
    return isThere;
  }

  get wasThere(): boolean {
    return this.#wasThere;
  }

  async existing(): Promise<Database> {
    if (!(await this.exists())) throw this.#missing();
    return this.itself;
  }

  async forReading(): Promise<Database> {
    if (await this.exists()) return this.itself;
    if (!this.#options.readsAsEmpty) throw this.#missing();
    this.#empty ??= new SqliteDatabase({ path: ":memory:" });
    return this.#empty;
  }

  async read(call: OperationCall): Promise<unknown> {
    return runOperation(await this.forReading(), this.#environment, call);
  }

  async write(call: OperationCall): Promise<unknown> {
    const erasing = { isLeft: false };
    const mustErase = () => {
      erasing.isLeft = true;
    };
    const output = await this.#writeOrMake({ ...call, mustErase });
    if (!erasing.isLeft) return output;
    try {
      await this.finishErasing();
    } catch (error) {
      if (call.operation.erases) throw rephraseBusyError(error);
      this.#options.logger.warn(`A purge is not finished: ${String(error)}`);
    }
    return output;
  }

  async finishErasing(): Promise<boolean> {
    if (!(await this.exists())) return false;
    const erasing = await this.itself.read(readErasingMark);
    if (erasing === undefined) return false;
    await this.itself.erase();
    await this.itself.write((tx) => removeErasingMark(tx, erasing));
    return true;
  }

  async close(): Promise<void> {
    await this.itself.close();
    await this.#empty?.close();
  }

  /**
   * A failed write or dry run must not create a database, so the first write is tried in memory.
   */
  async #writeOrMake(call: OperationCall): Promise<unknown> {
    const environment = this.#environment;
    if (await this.exists()) return runOperation(this.itself, environment, call);
    await this.#refuseOtherCase();
    this.#requireMayMake(call.options.caller);
    const rehearsal = new SqliteDatabase({ path: ":memory:" });
    try {
      const { onChange: _notYet, ...options } = call.options;
      const output = await runOperation(rehearsal, environment, { ...call, options });
      if (call.input.dry_run === true) return output;
    } finally {
      await rehearsal.close();
    }
    call.stop.throwIfOver();
    // Stopping now would leave an empty database.
    const stop = new Stop({}, this.#options.clock ?? systemClock);
    return runOperation(this.itself, environment, { ...call, stop });
  }

  #missing(): Error {
    const { name, database } = this.#options;
    return notFound(
      `There is no database "${name}". The first write creates it in ${displayLocation(database.location)}; \`cairn databases\` lists those that exist.`,
    );
  }

  /** Case-insensitive file systems would map both names to one file. */
  async #refuseOtherCase(): Promise<void> {
    const other = await this.itself.nameOfOtherCase();
    if (other === undefined) return;
    throw invalidInput(
      `db: there is a database "${other}"; "${this.#options.name}" differs only in case. Use that name or another one`,
    );
  }

  #requireMayMake(caller: Caller | undefined): void {
    const { isMadeByAnyWriter, name } = this.#options;
    if (caller === undefined || isMadeByAnyWriter === true) return;
    requireScope(caller, "admin", `Making the database ${name}`, name);
  }
}

/** The purge is committed, but the old bytes remain while readers use earlier snapshots. */
function rephraseBusyError(error: unknown): unknown {
  if (!isCairnError(error) || error.code !== "busy") return error;
  return new CairnError(
    "busy",
    "The items are purged, but another process still reads the previous state. The next write, or `cairn purge --verify`, removes the remaining data.",
  );
}
