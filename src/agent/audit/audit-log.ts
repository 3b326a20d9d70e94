import { maskSecrets } from "../../memory/index.ts";
import type { ChainPlace } from "../../shared/chained-log/chain-place.ts";
import { ChainedLog, type ChainedLogOptions } from "../../shared/chained-log/chained-log.ts";
import type { Clock } from "../../shared/clock.ts";
import { type AuditedCall, agentAudit } from "./audit-entry.ts";

/** Of a subject; a whole file that a command writes is no part of the log. */
const MAX_SUBJECT = 10_000;

export type AuditLogOptions = Pick<ChainedLogOptions, "partBytes">;

/** What the agent did and was kept from in one project. Several cairns write to one log. */
export class AuditLog {
  readonly #chain: ChainedLog<AuditedCall>;
  /** Entries stand in the order of the calls, however long the masking of one takes. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(place: ChainPlace, clock: Clock, options: AuditLogOptions = {}) {
    this.#chain = new ChainedLog<AuditedCall>(place, agentAudit, clock, options);
  }

  /** Rejects where it cannot be noted: then the call is not to run. */
  note(call: AuditedCall): Promise<void> {
    const noted = this.#last.then(async () => this.#chain.note([await masked(call)]));
    this.#last = noted.catch(() => undefined);
    return noted;
  }
}

async function masked(call: AuditedCall): Promise<AuditedCall> {
  const [subject, reason] = await Promise.all([
    maskSecrets(call.subject.slice(0, MAX_SUBJECT)),
    maskSecrets(call.reason),
  ]);
  return { ...call, subject, reason };
}
