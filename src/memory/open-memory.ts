import type { Database, DatabaseStatus, Tx } from "../database/index.ts";
import { type Caller, OWNER, requireDatabase, requireScope } from "../shared/caller.ts";
import { systemClock, toTimestamp } from "../shared/clock.ts";
import { Stop } from "../shared/deadline.ts";
import { CairnError, invalidInput, isCairnError } from "../shared/errors.ts";
import { isPlainObject } from "../shared/json.ts";
import { didYouMean } from "../shared/nearest.ts";
import type { ExecuteOptions } from "./context/execute-options.ts";
import { createEnvironment, createRecallLog } from "./engine-parts.ts";
import type { FollowOptions } from "./events/event.queries.ts";
import { lastEventSeq } from "./events/event.queries.ts";
import { buildFeedFilter } from "./filters/feed-filter.ts";
import type { FilterInput } from "./filters/resolve-filter.ts";
import { loadVersion } from "./history/change-recorder.ts";
import { DEFAULT_LIMITS, type MemoryLimits } from "./input/limits.ts";
import { validateInput } from "./input/validate-input.ts";
import { executeInLayers, type LayeredMemory } from "./layers/recall-layers.ts";
import type { CallOptions } from "./memory.ts";
import { MemoryDatabase } from "./memory-database.ts";
import type { MemoryOptions } from "./memory-options.ts";
import type { Operation } from "./operations/define-operation.ts";
import { scopeOfOperation } from "./operations/define-operation.ts";
import { type Call, type Middleware, runMiddleware } from "./operations/middleware.ts";
import type { InputOf, OperationName, OutputOf } from "./operations/registry.ts";
import {
  type OperationCall,
  type OperationEnvironment,
  readBeforeDeadline,
} from "./operations/run-operation.ts";
import { type ExpiredPurge, purgeExpired } from "./purge/purge-expired.ts";
import { Retention } from "./purge/retention.ts";
import type { LoggedRecall } from "./recall-log/logged-recall.ts";
import { recordResult } from "./recall-log/note-answer.ts";
import type { RecallLog } from "./recall-log/recall-log.ts";
import { PAGE_NOTE } from "./recall-log/recall-notes.ts";
import { BackgroundVectors } from "./search/background-vectors.ts";
import { DamageWarnings } from "./search/derived-damage.ts";
import type { PrepareContext } from "./search/prepare-context.ts";
import { WaitingRecalls } from "./search/shared-batch.ts";
import { StaleTexts } from "./search/stale-texts.ts";
import { VectorService } from "./search/vector-service.ts";
import type { VectorWork } from "./search/vector-work.ts";
import { guardSecrets } from "./secrets/guard-secrets.ts";
import { loadStats } from "./stats/load-stats.ts";

export function readOnlyError(): CairnError {
  return new CairnError(
    "forbidden",
    "This server was started with --read-only and accepts no writes.",
  );
}

/** Opens one database lazily: no file is created before the first write. */
export function openMemory(options: MemoryOptions): MemoryEngine {
  return new MemoryEngine(options);
}

type ValidInput = Record<string, unknown>;

const validate: Middleware = async (call, next) => {
  call.input = validateInput(call.operation.input, call.input, call.operation.name);
  return next();
};

function requireStop({ stop }: Call): Stop {
  if (stop === undefined) throw new Error("The deadline was not set.");
  return stop;
}

export class MemoryEngine implements LayeredMemory {
  readonly name: string;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly vectors: VectorService;
  readonly #options: MemoryOptions;
  readonly #expired: ExpiredPurge;
  readonly #environment: OperationEnvironment;
  readonly #database: MemoryDatabase;
  readonly #background: BackgroundVectors;
  readonly #texts: StaleTexts;
  readonly #recallLog: RecallLog | undefined;

  constructor(options: MemoryOptions) {
    this.name = options.name;
    this.operations = options.operations;
    this.#options = options;
    const { database, logger } = options;
    const retention = new Retention(options.retention ?? "off", options.clock ?? systemClock);
    this.#expired = { memory: this, database, retention, logger };
    const damage = new DamageWarnings(logger);
    this.#environment = createEnvironment(options, damage);
    this.#database = new MemoryDatabase(options, this.#environment);
    this.#texts = new StaleTexts({ database, damage, logger });
    this.#recallLog = createRecallLog(options);
    this.vectors = new VectorService({
      database: () => this.#database.forReading(),
      embedder: options.embedder,
      waiting: options.waiting ?? new WaitingRecalls(),
      logger,
    });
    this.#background = new BackgroundVectors({
      texts: this.#texts,
      vectors: this.vectors,
      logger,
    });
  }

  execute<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    options?: ExecuteOptions,
  ): Promise<OutputOf<Name>> {
    return this.executeNamed(name, input, { caller: OWNER, ...options }) as Promise<OutputOf<Name>>;
  }

  async executeNamed(name: string, input: unknown, options: CallOptions): Promise<unknown> {
    const operation = this.operations.get(name);
    if (operation === undefined) {
      throw invalidInput(
        `There is no operation "${name}".${didYouMean(name, [...this.operations.keys()])}`,
      );
    }
    const chain = [this.#authorize, this.#logRecall, this.#askLayers];
    return runMiddleware(chain, { operation, input, options });
  }

  executeHere(operation: Operation, input: unknown, options: CallOptions): Promise<unknown> {
    const chain = [
      this.#authorize,
      this.#setDeadline,
      validate,
      this.#guardSecrets,
      this.#prepare,
      this.#maintain,
      this.#transact,
    ];
    return runMiddleware(chain, { operation, input, options });
  }

  readonly #authorize: Middleware = async ({ operation, options }, next) => {
    this.requireMay(options.caller, operation);
    return next();
  };

  readonly #logRecall: Middleware = async (call, next) => {
    const { operation, input, options } = call;
    if (operation.ofRecallLog === true) await this.#recallLog?.store();
    const { surface, client } = options;
    const isViewed = surface === "rest" && client === PAGE_NOTE;
    const isRecall = operation.name === "recall";
    // Without a surface, the recall is a step of another operation, which logs its own result.
    if (!isRecall || surface === undefined || isViewed || this.#recallLog === undefined) {
      return next();
    }
    return recordResult(this.#recallLog, { input, options: { ...options, surface } }, (logged) => {
      call.options = logged;
      return next();
    });
  };

  readonly #askLayers: Middleware = (call) =>
    executeInLayers(this, () => this.#outerLayers(), call);

  readonly #setDeadline: Middleware = async (call, next) => {
    const stop = new Stop(call.options, this.#options.clock ?? systemClock);
    const { timeoutMs: _ofStop, ...options } = call.options;
    call.stop = stop;
    call.options = { ...options, ...(stop.signal !== undefined && { signal: stop.signal }) };
    try {
      stop.throwIfOver();
      return await next();
    } finally {
      stop.done();
    }
  };

  readonly #guardSecrets: Middleware = async (call, next) => {
    const { operation } = call;
    if (operation.kind === "read") return next();
    const { secrets = "mask" } = this.#options;
    const isRefusing = secrets === "refuse" && operation.onlyTakesAway !== true;
    const rule = isRefusing || secrets === "allow" ? secrets : "mask";
    const { input, masked } = await guardSecrets(call.input as ValidInput, rule);
    call.input = input;
    const output = await next();
    return masked.length > 0 && isPlainObject(output) ? { ...output, masked } : output;
  };

  readonly #prepare: Middleware = async (call, next) => {
    const { operation, options } = call;
    const stop = requireStop(call);
    call.prepared = await operation.prepare?.(
      this.#prepareContext({ options, stop }),
      call.input as ValidInput,
    );
    stop.throwIfOver();
    return next();
  };

  /** Purges expired items after a write and computes missing vectors in the background. */
  readonly #maintain: Middleware = async ({ operation, options, prepared }, next) => {
    const output = await next();
    if (operation.kind === "read") {
      // Computes vectors that recall did not wait for, after a migration or an edit.
      if (prepared !== undefined && (await this.#makesVectors())) this.#background.start();
      return output;
    }
    await purgeExpired(this.#expired, options);
    if (await this.#makesVectors()) this.#background.start();
    else if (await this.isThere()) await this.#texts.refreshSome();
    return output;
  };

  readonly #transact: Middleware = async (call) => {
    const { operation, options, prepared } = call;
    const input = call.input as ValidInput;
    const transaction = { operation, input, prepared, options, stop: requireStop(call) };
    return operation.kind === "read"
      ? this.#database.read(transaction)
      : this.#database.write(transaction);
  };

  noteRecall(recall: LoggedRecall): void {
    this.#recallLog?.note(recall);
  }

  requireMay(caller: Caller, operation: Operation): void {
    requireDatabase(caller, this.name);
    requireScope(caller, scopeOfOperation(operation), operation.name, this.name);
    if (operation.kind === "write" && this.#options.readOnly === true) throw readOnlyError();
  }

  async readHere<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    return (await this.#database.forReading()).read(body);
  }

  isThere(): Promise<boolean> {
    return this.#database.exists();
  }

  get wasThere(): boolean {
    return this.#database.wasThere;
  }

  get limits(): MemoryLimits {
    return this.#options.limits ?? DEFAULT_LIMITS;
  }

  async #makesVectors(): Promise<boolean> {
    return this.#options.vectorsInBackground === true && (await this.isThere());
  }

  get location(): string {
    return this.#database.itself.location;
  }

  timestamp(): string {
    return toTimestamp((this.#options.clock ?? systemClock).now());
  }

  /** Version of an item for `if_match`; 0 if it has no events. */
  async versionOf(id: string): Promise<number> {
    const database = await this.#database.forReading();
    return database.read((tx) => loadVersion(tx, id));
  }

  /** Builds the filter of an `events` input. Resolves names and relative times on each call. */
  feedFilter(input: FilterInput): NonNullable<FollowOptions["filter"]> {
    const { episodeTypes } = this.#environment;
    return (tx) => buildFeedFilter("event", { tx, now: this.timestamp(), episodeTypes }, input);
  }

  /** Returns the newest event number and the item's version at that moment. */
  async stateFor(item: string | undefined) {
    const database = await this.#database.forReading();
    return database.read(async (tx) => ({
      seq: await lastEventSeq(tx),
      version: item === undefined ? undefined : await loadVersion(tx, item),
    }));
  }

  database(): Promise<Database> {
    return this.#database.existing();
  }

  get databaseToFill(): Database {
    return this.#database.itself;
  }

  makeMissingVectors(work?: VectorWork): Promise<number> {
    return this.vectors.makeMissing(work);
  }

  async close(): Promise<void> {
    await this.#background.close();
    await this.#recallLog?.store();
    await this.#database.close();
  }

  #outerLayers(): readonly LayeredMemory[] {
    return this.#options.outerLayers?.() ?? [];
  }

  #prepareContext(call: Pick<OperationCall, "options" | "stop">): PrepareContext {
    const { options } = call;
    return {
      vectors: this.vectors,
      clock: this.#options.clock ?? systemClock,
      options,
      database: this.name,
      outerLayers: () => this.#outerLayers(),
      read: async (body) => readBeforeDeadline(await this.#database.forReading(), call, body),
    };
  }

  finishErasing(): Promise<boolean> {
    return this.#database.finishErasing();
  }

  status(): Promise<DatabaseStatus> {
    return this.#database.itself.status();
  }

  rest(): void {
    this.#database.itself.rest();
  }
}

export interface DatabaseCounts {
  readonly episodes: number;
  readonly concepts: number;
  readonly facts: number;
  readonly open_conflicts: number;
  readonly last_seq: number;
}

/** Counts a database's contents; undefined if it is unreadable, which `cairn doctor` diagnoses. */
export async function countDatabase(memory: MemoryEngine): Promise<DatabaseCounts | undefined> {
  try {
    const stats = await (await memory.database()).read(loadStats);
    return {
      episodes: stats.episodes.total,
      concepts: stats.concepts.total,
      facts: stats.facts.active,
      open_conflicts: stats.conflicts.open,
      last_seq: stats.last_seq,
    };
  } catch (error) {
    if (isCairnError(error)) return undefined;
    throw error;
  }
}
