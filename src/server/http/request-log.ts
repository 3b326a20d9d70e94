import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Caller } from "../../shared/caller.ts";
import { type Clock, systemClock, toTimestamp } from "../../shared/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import type { Logger } from "../../shared/logger.ts";
import type { ObservedResponse } from "./observe-responses.ts";
import type { RequestMetadata } from "./request-metadata.ts";

export interface LoggedCall {
  readonly operation: string;
  readonly database: string;
  readonly ids: readonly string[];
  readonly change: string | undefined;
  readonly status: number;
  readonly caller: Caller;
}

/** Operation name by method and route, such as `GET /api/v1/recall`. */
export type OperationsByRoute = ReadonlyMap<string, string>;

/**
 * Logs each request, without content, to the logger and to `logs/requests.jsonl` in the data
 * directory. Write failures are reported once and do not delay responses. Reopens the file for each
 * batch to allow rotation.
 */
export class RequestLog {
  readonly #file: string;
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #clock: Clock;
  #lines: string[] = [];
  #writing: Promise<void> | undefined;
  #hasFailed = false;

  constructor(dataDir: string, logger: Logger, clock: Clock = systemClock) {
    this.#folder = join(dataDir, "logs");
    this.#file = join(this.#folder, "requests.jsonl");
    this.#logger = logger;
    this.#clock = clock;
  }

  recordRequest(answered: ObservedResponse, operations: OperationsByRoute): void {
    const { method, route, declared, status, seconds, caller, known, metadata } = answered;
    const ms = Math.round(seconds * 10_000) / 10;
    const callerText = caller?.name === undefined ? "" : ` ${caller.name}`;
    this.#logger.info(`${method} ${route} ${status} ${ms} ms${callerText}`, {
      ...{ method, route, status, ms },
      caller: caller?.name,
    });
    const operation = operations.get(`${method} ${declared}`.replace(/^HEAD /, "GET "));
    const database = metadata.database ?? answered.database;
    this.#append({
      ...{ method, route: declared, status, ms, operation, database },
      ...callerFields(caller ?? known),
      ...itemFields(metadata),
    });
  }

  async recordCall({ caller, ...call }: LoggedCall): Promise<void> {
    const { operation, database, status } = call;
    const fields = callerFields(caller);
    this.#append({ method: "MCP", operation, database, status, ...fields, ...itemFields(call) });
  }

  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  #append(fields: object): void {
    this.#lines.push(`${JSON.stringify({ time: toTimestamp(this.#clock.now()), ...fields })}\n`);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  async #write(): Promise<void> {
    while (this.#lines.length > 0) {
      const batch = this.#lines;
      this.#lines = [];
      let file: FileHandle | undefined;
      try {
        makeFolder(this.#folder);
        file = await open(this.#file, "a", 0o600);
        await file.appendFile(batch.join(""));
        this.#hasFailed = false;
      } catch (error) {
        if (!this.#hasFailed) {
          this.#logger.error(`Requests cannot be logged to ${this.#file}: ${messageOf(error)}`);
        }
        this.#hasFailed = true;
      } finally {
        await file?.close();
      }
    }
  }
}

function callerFields(caller: Caller | undefined) {
  if (caller === undefined) return { caller: null, by: "nobody" };
  if (caller.name === undefined) return { caller: null, by: "server" };
  return { caller: caller.name, by: caller.by ?? "token" };
}

function itemFields({ ids = [], change }: RequestMetadata) {
  return { ...(ids.length > 0 && { ids: [...ids] }), ...(change !== undefined && { change }) };
}
