import type { ChainPlace } from "../shared/chained-log/chain-place.ts";
import { ChainedLog } from "../shared/chained-log/chained-log.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import { CairnError, messageOf } from "../shared/errors.ts";
import type { Logger } from "../shared/logger.ts";
import { type AuditedRequest, ofServer, serverAudit } from "./audited-request.ts";
import type { AuditSettings } from "./settings.ts";

/** Entries that are brought to the disk by one write. */
const AT_ONCE = 256;
/** A disk that stays full is told of so often; milliseconds. */
const TOLD_AGAIN_MS = 60_000;

export interface ServerAuditOptions {
  readonly place: ChainPlace;
  readonly settings: Pick<AuditSettings, "required" | "partBytes" | "parts">;
  readonly logger: Logger;
  readonly clock?: Clock;
}

interface Waiting {
  readonly said: AuditedRequest;
  done(error?: Error): void;
}

/**
 * Who asked a server for what, and how it ended. An entry is on the disk before the answer goes out;
 * entries that come together are written together.
 */
export class ServerAudit {
  readonly #log: ChainedLog<AuditedRequest>;
  readonly #file: string;
  readonly #isRequired: boolean;
  readonly #logger: Logger;
  #waiting: Waiting[] = [];
  #isWriting = false;
  #problem: string | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #missed = 0;

  constructor({ place, settings, logger, clock = systemClock }: ServerAuditOptions) {
    const { partBytes, parts, required } = settings;
    this.#log = new ChainedLog(place, serverAudit, clock, { partBytes, parts, atOnce: AT_ONCE });
    this.#file = place.file;
    this.#isRequired = required;
    this.#logger = logger;
  }

  /** Why nothing can be noted at present; undefined: it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Throws unavailable while requests may not be answered because nothing can be noted. */
  requireOrder(): void {
    if (this.#problem !== undefined && this.#isRequired) throw this.#refusal();
  }

  /** Resolves when it is on the disk. Throws unavailable where it has to be and is not. */
  async note(said: AuditedRequest): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push({
          said,
          done: (error) => (error === undefined ? resolve() : reject(error)),
        });
        if (!this.#isWriting) void this.#writeAll();
      });
    } catch (error) {
      this.#fails(messageOf(error));
      if (said.from !== "log") this.#missed += 1;
      if (this.#isRequired) throw this.#refusal();
    }
  }

  /** Tries again where it was not: nobody sends requests to a server that says that it is not ready. */
  async isInOrder(): Promise<boolean> {
    if (this.#problem !== undefined) {
      await this.note(ofServer("healed", "It could be written again.")).catch(() => undefined);
    }
    return this.#problem === undefined || !this.#isRequired;
  }

  started(): Promise<void> {
    return this.note(ofServer("started", "The server was started."));
  }

  /** Never rejects: a server that stops has nobody to refuse, and its log says that this is not noted. */
  async stopped(): Promise<void> {
    await this.note(ofServer("stopped", "The server was stopped.")).catch(() => undefined);
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, AT_ONCE - 1);
      const missed = this.#missed;
      const before = missed === 0 ? [] : [missedEntry(missed)];
      try {
        await this.#log.note([...before, ...batch.map(({ said }) => said)]);
        this.#missed -= missed;
        this.#works();
        for (const { done } of batch) done();
      } catch (error) {
        for (const { done } of batch) {
          done(error instanceof Error ? error : new Error(String(error)));
        }
      }
    }
    this.#isWriting = false;
  }

  #works(): void {
    if (this.#problem !== undefined) this.#logger.info(`The audit is written again: ${this.#file}`);
    this.#problem = undefined;
    this.#toldAt = Number.NEGATIVE_INFINITY;
  }

  #fails(problem: string): void {
    this.#problem = problem;
    const now = performance.now();
    if (now - this.#toldAt < TOLD_AGAIN_MS) return;
    this.#toldAt = now;
    const then = this.#isRequired ? "Requests are refused" : "Requests are answered unnoted";
    this.#logger.error(`The audit cannot be written to ${this.#file}: ${problem} ${then}.`);
  }

  #refusal(): CairnError {
    return new CairnError(
      "unavailable",
      "The server cannot note this request in its audit, so it does not answer it; what was to be written may be written. Its log says why. Whoever runs it makes room at `audit.file`, or sets `audit.required` to false.",
      { audit: "failing" },
    );
  }
}

function missedEntry(count: number): AuditedRequest {
  const requests = count === 1 ? "1 request" : `${count} requests`;
  return ofServer("missed", `${requests} before this could not be noted.`);
}
