import { type Database, SqliteDatabase, type Standing } from "../database/index.ts";
import type { Embedder } from "../embedding/index.ts";
import { type Caller, mayOpen, OWNER, requireDatabase, requireScope } from "../kernel/caller.ts";
import { type Clock, systemClock, toTimestamp } from "../kernel/clock.ts";
import { CairnError, invalidInput, isCairnError, notFound } from "../kernel/errors.ts";
import { type IdSource, randomIds } from "../kernel/ids.ts";
import { isPlainObject } from "../kernel/json.ts";
import type { Logger } from "../kernel/logger.ts";
import { didYouMean } from "../kernel/nearest.ts";
import { shownPlace } from "../kernel/shown-place.ts";
import { Stop } from "../kernel/stop.ts";
import { readErasingMark, removeErasingMark } from "./context/erasing-mark.ts";
import type { ExecuteOptions, Surface } from "./context/execute-options.ts";
import { BUILT_IN_EPISODE_TYPES } from "./episodes/episode-types.ts";
import { lastEventSeq } from "./events/event.queries.ts";
import { versionOf } from "./history/change-recorder.ts";
import { DEFAULT_LIMITS, type MemoryLimits } from "./input/limits.ts";
import { validateInput } from "./input/validate-input.ts";
import { isOfOneLayer, type Layer, recallLayers } from "./layers/recall-layers.ts";
import type { CallOptions, Memory } from "./memory.ts";
import type { Operation } from "./operations/define-operation.ts";
import type { InputOf, OperationName, OutputOf } from "./operations/registry.ts";
import { type OperationCall, runOperation } from "./operations/run-operation.ts";
import { scopeOfOperation } from "./operations/scope-of-operation.ts";
import { findExpired } from "./purge/find-expired.ts";
import { Retention } from "./purge/retention.ts";
import type { RecallOutput } from "./recall/recall.schema.ts";
import type { NotedItem, NotedRecall } from "./recall-log/noted-recall.ts";
import { notesOfRecall } from "./recall-log/notes-of-recall.ts";
import { RecallLog } from "./recall-log/recall-log.ts";
import type { RecallLogBounds } from "./recall-log/store-recalls.ts";
import { DamageWarnings } from "./search/derived-damage.ts";
import type { PrepareContext } from "./search/prepare-context.ts";
import { StaleTexts } from "./search/stale-texts.ts";
import { VectorService, type VectorWork } from "./search/vector-service.ts";
import { type GuardedInput, guardSecrets } from "./secrets/guard-secrets.ts";
import type { SecretRule } from "./secrets/secret-rules.ts";

export interface MemoryOptions {
  readonly name: string;
  /** Is made by the first write, and closed with the memory. */
  readonly database: Database;
  /** Undefined: recall works on text and graph alone. */
  readonly embedder: Embedder | undefined;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly logger: Logger;
  /** Custom episode types, besides the built-in ones. */
  readonly episodeTypes?: readonly string[];
  readonly limits?: MemoryLimits;
  /** What becomes of keys and tokens in what is written. Default: mask. */
  readonly secrets?: SecretRule;
  /** After how many days the text of deleted items is purged, as `30d`. Default: off. */
  readonly retention?: string;
  /** How much of what recalls gave is noted. Default: nothing. */
  readonly recallLog?: RecallLogBounds | undefined;
  /** The layers behind this one, which recall of a surface reads, too. */
  readonly farther?: () => readonly MemoryEngine[];
  readonly clock?: Clock;
  readonly ids?: IdSource;
  /** A database that does not exist reads as empty instead of not_found. */
  readonly readsAsEmpty?: boolean;
  /** Whoever may write makes it with the first write; else only an admin does. */
  readonly isMadeByAnyWriter?: boolean;
  /** Vectors are made after each write, without being asked: for servers that live on. */
  readonly vectorsInBackground?: boolean;
  /** Refuses every write. */
  readonly readOnly?: boolean;
}

/** The purge itself is stored; only its bytes are left where somebody still reads them. */
function stillInTheFile(error: unknown): unknown {
  if (!isCairnError(error) || error.code !== "busy") return error;
  return new CairnError(
    "busy",
    "The items are purged, but another process still reads the file as it was. The next write, or `cairn purge --verify`, removes what is left.",
  );
}

/** What a store that must not be changed says to who tries. */
export function onlyReads(): CairnError {
  return new CairnError("forbidden", "This server was started with --read-only: it only reads.");
}

/** Items that one write purges beside what it was asked for. */
const EXPIRED_AT_ONCE = 200;

/** Opens one database. No file is touched before the first operation, none made before a write. */
export function openMemory(options: MemoryOptions): MemoryEngine {
  return new MemoryEngine(options);
}

/** A call by its name, whose input nobody has looked at yet. */
interface AskedCall {
  readonly operation: Operation;
  readonly input: unknown;
  readonly options: ExecuteOptions;
}

function recallLogOf(options: MemoryOptions): RecallLog | undefined {
  const { recallLog: bounds, database, logger, readOnly, clock, ids } = options;
  if (bounds === undefined || readOnly === true) return undefined;
  return new RecallLog({
    ...{ bounds, database, logger },
    clock: clock ?? systemClock,
    ids: ids ?? randomIds,
  });
}

export class MemoryEngine implements Memory {
  readonly name: string;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly vectors: VectorService;
  readonly #options: MemoryOptions;
  readonly #retention: Retention;
  readonly #database: Database;
  /** Known to be so, once it was. */
  #wasThere = false;
  /** Stands in for a database that does not exist yet. */
  #empty: Database | undefined;
  #background: Promise<unknown> | undefined;
  readonly #closing = new AbortController();
  readonly #damage: DamageWarnings;
  readonly #texts: StaleTexts;
  readonly #recallLog: RecallLog | undefined;

  constructor(options: MemoryOptions) {
    this.name = options.name;
    this.#database = options.database;
    this.operations = options.operations;
    this.#options = options;
    this.#retention = new Retention(options.retention ?? "off", options.clock ?? systemClock);
    this.#damage = new DamageWarnings(options.logger);
    const { database, logger } = options;
    this.#texts = new StaleTexts({ database, damage: this.#damage, logger });
    this.#recallLog = recallLogOf(options);
    this.vectors = new VectorService({
      database: () => this.#openForReading(),
      embedder: options.embedder,
      logger: options.logger,
    });
  }

  execute<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    options?: ExecuteOptions,
  ): Promise<OutputOf<Name>> {
    // The operation of this name declares this output; `run` is typed by the same schema.
    return this.executeNamed(name, input, { caller: OWNER, ...options }) as Promise<OutputOf<Name>>;
  }

  async executeNamed(name: string, input: unknown, options: CallOptions): Promise<unknown> {
    const operation = this.operations.get(name);
    if (operation === undefined) {
      throw invalidInput(
        `There is no operation "${name}".${didYouMean(name, [...this.operations.keys()])}`,
      );
    }
    this.requireMay(options.caller, operation);
    const { surface } = options;
    if (operation.ofRecallLog === true) await this.#recallLog?.store();
    if (name !== "recall" || surface === undefined) return this.#ask(operation, input, options);
    // Without a surface it is a step of something else, which notes what comes of it.
    return this.#noting(input, { ...options, surface }, (noted) =>
      this.#ask(operation, input, noted),
    );
  }

  noteRecall(recall: NotedRecall): void {
    this.#recallLog?.note(recall);
  }

  /** Notes what was given once it is there; what fails gave nothing. */
  async #noting(
    input: unknown,
    options: CallOptions & { readonly surface: Surface },
    ask: (options: CallOptions) => Promise<unknown>,
  ): Promise<unknown> {
    if (this.#recallLog === undefined) return ask(options);
    const { consume } = options;
    const seen: { found?: unknown; leftOut: readonly NotedItem[] } = { leftOut: [] };
    const answer = await ask({
      ...options,
      onLeftOut: (items) => {
        seen.leftOut = items;
      },
      consume: (output) => {
        seen.found = output;
        return consume === undefined ? Promise.resolve(output) : consume(output);
      },
    });
    // Declared as the output of recall.
    const found = seen.found as RecallOutput;
    this.noteRecall(notesOfRecall(input, options, { found, leftOut: seen.leftOut }));
    return answer;
  }

  async #ask(operation: Operation, input: unknown, options: CallOptions): Promise<unknown> {
    const farther = await this.#fartherFor(operation, input, options);
    if (farther.length === 0) return this.#executeHere(operation, input, options);
    const layers = [this, ...farther].map(
      (memory): Layer => ({
        name: memory.name,
        // Declared as the output of recall.
        recall: (asked) => memory.#executeHere(operation, input, asked) as Promise<RecallOutput>,
      }),
    );
    const [nearest, ...others] = layers;
    if (nearest === undefined) throw new Error("A layer is missing that is this memory itself.");
    return recallLayers(nearest, others, { input, options });
  }

  /** Layers behind this one that are there, and that the caller may read. */
  async #fartherFor(
    { name }: Operation,
    input: unknown,
    { caller, surface }: CallOptions,
  ): Promise<readonly MemoryEngine[]> {
    // Without a surface it is a step of something else, which acts on the ids that it gets.
    if (name !== "recall" || surface === undefined || isOfOneLayer(input)) return [];
    const readable = (this.#options.farther?.() ?? []).filter((it) => mayOpen(caller, it.name));
    // Of one that cannot be looked at, recall says so.
    const there = await Promise.all(readable.map((memory) => memory.isThere().catch(() => true)));
    return readable.filter((_memory, n) => there[n]);
  }

  async #executeHere(operation: Operation, input: unknown, options: CallOptions): Promise<unknown> {
    this.requireMay(options.caller, operation);
    if (operation.kind === "write" && this.#options.readOnly === true) throw onlyReads();
    const stop = new Stop(options, this.#options.clock ?? systemClock);
    try {
      return await this.#executeUntil(stop, { operation, input, options });
    } finally {
      stop.done();
    }
  }

  /** Throws forbidden where the caller may not call it here; `executeNamed` asks the same. */
  requireMay(caller: Caller, operation: Operation): void {
    requireDatabase(caller, this.name);
    requireScope(caller, scopeOfOperation(operation), operation.name, this.name);
  }

  async #executeUntil(stop: Stop, asked: AskedCall): Promise<unknown> {
    const { operation } = asked;
    stop.throwIfOver();
    const { timeoutMs: _ofStop, ...given } = asked.options;
    const options = { ...given, ...(stop.signal !== undefined && { signal: stop.signal }) };
    const valid = validateInput(operation.input, asked.input, operation.name);
    const { input, masked } = await this.#guard(operation, valid);
    const prepared = await operation.prepare?.(this.#prepareContext(options), input);
    stop.throwIfOver();
    const call = { operation, input, prepared, options, stop };
    if (operation.kind === "write" && input.dry_run !== true) options.caller?.countWrites?.(1);
    if (operation.kind === "read") {
      const found = await this.#run(await this.#openForReading(), call);
      // Vectors that recall did not wait for, be it that a migration or an edit asks for them.
      if (prepared !== undefined && (await this.#makesVectors())) this.#makeVectorsLater();
      return found;
    }
    const output = await this.#writeAndErase(call);
    await this.#purgeExpired(options);
    // A dry run may have left nothing that could hold vectors.
    if (await this.#makesVectors()) this.#makeVectorsLater();
    else if (await this.isThere()) await this.#texts.refreshSome();
    return masked.length > 0 && isPlainObject(output) ? { ...output, masked } : output;
  }

  /** Keys and tokens stay out of what is stored; reading is free to ask for anything. */
  async #guard(operation: Operation, input: Record<string, unknown>): Promise<GuardedInput> {
    if (operation.kind === "read") return { input, masked: [] };
    const { secrets = "mask" } = this.#options;
    const isRefusing = secrets === "refuse" && operation.onlyTakesAway !== true;
    return guardSecrets(input, isRefusing || secrets === "allow" ? secrets : "mask");
  }

  async isThere(): Promise<boolean> {
    const isThere = await this.#database.isThere();
    this.#wasThere ||= isThere;
    return isThere;
  }

  /** Whether it was found to be there before. */
  get wasThere(): boolean {
    return this.#wasThere;
  }

  /** Bounds that the settings can move. */
  get limits(): MemoryLimits {
    return this.#options.limits ?? DEFAULT_LIMITS;
  }

  async #makesVectors(): Promise<boolean> {
    return this.#options.vectorsInBackground === true && (await this.isThere());
  }

  /** Where it lies, for messages: a folder, or a server without its password. */
  get location(): string {
    return this.#database.location;
  }

  /** This moment, as it is stored. */
  timestamp(): string {
    return toTimestamp((this.#options.clock ?? systemClock).now());
  }

  /** What `if_match` takes of an item; 0 for one that no event concerns. */
  async versionOf(id: string): Promise<number> {
    const database = await this.#openForReading();
    return database.read((tx) => versionOf(tx, id));
  }

  /** What a caller who goes on to another server brings along as `seen`; undefined: nothing. */
  get newestSeen(): number | undefined {
    return this.#database.newestSeen;
  }

  /** Number of the newest event that a reader is shown, and the version of an item at that moment. */
  async stateFor({ item, seen }: { item: string | undefined; seen: number | undefined }) {
    const database = await this.#openForReading();
    return database.read(
      async (tx) => ({
        seq: await lastEventSeq(tx),
        version: item === undefined ? undefined : await versionOf(tx, item),
      }),
      { seen },
    );
  }

  /** The open database, for maintenance. Throws not_found when there is none. */
  async database(): Promise<Database> {
    if (!(await this.isThere())) throw this.#missing();
    return this.#database;
  }

  /** The database, there or not, for an import. */
  get databaseToFill(): Database {
    return this.#database;
  }

  makeMissingVectors(work?: VectorWork): Promise<number> {
    return this.vectors.makeMissing(work);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#background;
    await this.#recallLog?.store();
    await this.#database.close();
    await this.#empty?.close();
  }

  #prepareContext(options: ExecuteOptions): PrepareContext {
    return {
      vectors: this.vectors,
      clock: this.#options.clock ?? systemClock,
      options,
      database: this.name,
      farther: () => this.#options.farther?.() ?? [],
      read: async (body) => (await this.#openForReading()).read(body, { seen: options.seen }),
    };
  }

  #run(database: Database, call: OperationCall): Promise<unknown> {
    const { clock, ids, episodeTypes, logger, operations } = this.#options;
    return runOperation(
      database,
      {
        clock: clock ?? systemClock,
        ids: ids ?? randomIds,
        episodeTypes: [...BUILT_IN_EPISODE_TYPES, ...(episodeTypes ?? [])],
        operations,
        limits: this.limits,
        logger,
        damage: this.#damage,
        place: { database: this.name, folder: shownPlace(this.location) },
      },
      call,
    );
  }

  /** A database is for who looks after the memory to make, but the one that the server was told of. */
  #requireMayMake(caller: Caller | undefined): void {
    if (caller === undefined || this.#options.isMadeByAnyWriter === true) return;
    requireScope(caller, "admin", `Making the database ${this.name}`, this.name);
  }

  /**
   * A write that fails, or a dry run, must not leave a new database behind: on a database that does not
   * exist yet it is rehearsed in memory first.
   */
  async #write(call: OperationCall): Promise<unknown> {
    if (!(await this.isThere())) {
      await this.#refuseOtherCase();
      this.#requireMayMake(call.options.caller);
      const rehearsal = new SqliteDatabase({ path: ":memory:" });
      try {
        const { onChange: _notYet, ...options } = call.options;
        const output = await this.#run(rehearsal, { ...call, options });
        if (call.input.dry_run === true) return output;
      } finally {
        await rehearsal.close();
      }
      call.stop.throwIfOver();
      // Ended now, it would leave a database in which nothing is.
      const stop = new Stop({}, this.#options.clock ?? systemClock);
      return this.#run(this.#database, { ...call, stop });
    }
    return this.#run(this.#database, call);
  }

  /**
   * A purge is only done when nothing is left in the file. Another write that finds one which was
   * cut off finishes it; its own answer stands whatever becomes of that.
   */
  async #writeAndErase(call: OperationCall): Promise<unknown> {
    const erasing = { isLeft: false };
    const mustErase = () => {
      erasing.isLeft = true;
    };
    const output = await this.#write({ ...call, mustErase });
    if (!erasing.isLeft) return output;
    try {
      await this.finishErasing();
    } catch (error) {
      if (call.operation.erases) throw stillInTheFile(error);
      this.#options.logger.warn(`A purge is still to be finished: ${String(error)}`);
    }
    return output;
  }

  /** The write before it stands whatever becomes of this. */
  async #purgeExpired(options: ExecuteOptions): Promise<void> {
    const due = this.#retention.takeDue();
    if (due === undefined || !(await this.isThere())) return;
    try {
      const ids = await this.#database.read((tx) => findExpired(tx, due, EXPIRED_AT_ONCE));
      if (ids.length === 0) return;
      // Whoever wrote gave the occasion, not the order.
      const { caller: _writer, signal: _waiting, ...others } = options;
      await this.execute("purge", { ids }, { ...others, author: "retention" });
      if (ids.length === EXPIRED_AT_ONCE) this.#retention.lookAgain();
    } catch (error) {
      this.#options.logger.warn(`What was deleted long ago is not purged yet: ${String(error)}`);
    }
  }

  /** Finishes a purge that was cut off. Returns whether there was one. */
  async finishErasing(): Promise<boolean> {
    if (!(await this.isThere())) return false;
    const mark = await this.#database.read(readErasingMark);
    if (mark === undefined) return false;
    await this.#database.erase();
    await this.#database.write((tx) => removeErasingMark(tx, mark));
    return true;
  }

  /** Some file systems tell no case: two such names would be one file there. */
  async #refuseOtherCase(): Promise<void> {
    const other = await this.#database.nameOfOtherCase();
    if (other === undefined) return;
    throw invalidInput(
      `db: there is a database "${other}"; "${this.name}" would differ from it in case only. Use that name, or another one`,
    );
  }

  /** Whether it can be read and written by this version. */
  standing(): Promise<Standing> {
    return this.#database.standing();
  }

  /** Gives what it holds open back until the next call, when nothing is under way. */
  rest(): void {
    this.#database.rest();
  }

  async #openForReading(): Promise<Database> {
    if (await this.isThere()) return this.#database;
    if (!this.#options.readsAsEmpty) throw this.#missing();
    this.#empty ??= new SqliteDatabase({ path: ":memory:" });
    return this.#empty;
  }

  #missing(): Error {
    return notFound(
      `There is no database "${this.name}". The first write makes it in ${shownPlace(this.location)}; \`cairn databases\` lists those that exist.`,
    );
  }

  #makeVectorsLater(): void {
    this.#background ??= this.#texts
      .refreshAll(this.#closing.signal)
      .then(() => this.vectors.makeMissing({ signal: this.#closing.signal }))
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.#options.logger.warn(String(error));
      })
      .finally(() => {
        this.#background = undefined;
      });
  }
}
