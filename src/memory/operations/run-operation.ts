import { createHash } from "node:crypto";
import { type Database, runWithStop, type Tx } from "../../database/index.ts";
import { type Clock, toTimestamp } from "../../shared/clock.ts";
import type { Stop } from "../../shared/deadline.ts";
import type { IdSource } from "../../shared/ids.ts";
import { canonicalJson, isPlainObject } from "../../shared/json.ts";
import type { Logger } from "../../shared/logger.ts";
import type { IndexPart } from "../context/derived-part.ts";
import { setErasingMark } from "../context/erasure-marker.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import type { MemoryLocation } from "../context/memory-location.ts";
import { ChangeRecorder, type NewChange } from "../history/change-recorder.ts";
import {
  findRepeatedRequest,
  forgetResults,
  type KeyedRequest,
  runKeyedRequest,
  storeResult,
} from "../history/idempotent-requests.ts";
import { requireVersion } from "../history/require-version.ts";
import { changeId } from "../input/item-ids.ts";
import { INPUT_LIMITS, type MemoryLimits } from "../input/limits.ts";
import { type DamageWarnings, findDamagedPart } from "../search/derived-damage.ts";
import { TouchedItems, updateIndex } from "../search/update-index.ts";
import type { Operation } from "./define-operation.ts";
import type { OperationContext } from "./operation-context.ts";

export interface OperationEnvironment {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly episodeTypes: readonly string[];
  readonly operations: ReadonlyMap<string, Operation>;
  readonly limits: MemoryLimits;
  readonly logger: Logger;
  readonly damage: DamageWarnings;
  readonly location: MemoryLocation;
}

export interface OperationCall {
  readonly operation: Operation;
  readonly input: Record<string, unknown>;
  readonly prepared: unknown;
  readonly options: ExecuteOptions;
  readonly stop: Stop;
  readonly mustErase?: () => void;
}

/** Runs all operations: reads in a snapshot, writes in one transaction with events and index. */
export function runOperation(
  database: Database,
  environment: OperationEnvironment,
  call: OperationCall,
): Promise<unknown> {
  return call.operation.kind === "read"
    ? runRead(database, environment, call)
    : runWrite(database, environment, call);
}

async function runRead(
  database: Database,
  environment: OperationEnvironment,
  call: OperationCall,
): Promise<unknown> {
  const { consume } = call.options;
  const { stop } = call;
  return rethrowStopReason(stop, () =>
    stop.untilBegun((begin) =>
      database.read((tx) => {
        begin();
        stop.throwIfOver();
        return runWithStop(tx, stop, async () => {
          const context = {
            ...sharedContext({ tx, database }, environment, call),
            ...READ_ONLY_CONTEXT,
          };
          const output = await call.operation.run(context, call.input);
          stop.throwIfOver();
          return consume === undefined ? output : consume(output);
        });
      }),
    ),
  );
}

export function readBeforeDeadline<T>(
  database: Database,
  { stop }: Pick<OperationCall, "stop">,
  body: (tx: Tx) => Promise<T>,
): Promise<T> {
  return rethrowStopReason(stop, () =>
    database.read((tx) => runWithStop(tx, stop, () => body(tx))),
  );
}

async function rethrowStopReason<T>(stop: Stop, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    stop.throwIfOver();
    throw error;
  }
}

async function runWrite(
  database: Database,
  environment: OperationEnvironment,
  call: OperationCall,
): Promise<unknown> {
  const damaged = new Set<IndexPart>();
  for (;;) {
    try {
      const output = await writeOnce(database, environment, { ...call, damaged });
      for (const part of damaged) environment.damage.warn(part);
      return output;
    } catch (error) {
      const part = findDamagedPart(error);
      if (part === undefined || damaged.has(part)) throw error;
      damaged.add(part);
    }
  }
}

async function writeOnce(
  database: Database,
  environment: OperationEnvironment,
  call: WriteCall,
): Promise<unknown> {
  const { stop } = call;
  try {
    await database.requireSound();
    const { answer, change, isErasing } = await stop.untilBegun((begin) =>
      database.write((tx) => {
        begin();
        const within = { tx, database, environment };
        return rethrowStopReason(stop, () =>
          runWithStop(tx, stop, () => writeInTransaction(within, call)),
        );
      }),
    );
    if (change !== undefined) call.options.onChange?.(change);
    if (isErasing) call.mustErase?.();
    return answer;
  } catch (error) {
    if (error instanceof RolledBack) return error.output;
    throw error;
  }
}

type WriteCall = OperationCall & { readonly damaged: ReadonlySet<IndexPart> };

interface WriteOutcome {
  readonly answer: unknown;
  readonly change?: string | undefined;
  readonly isErasing?: boolean;
}

async function writeInTransaction(
  { tx, database, environment }: WriteTransaction & { readonly environment: OperationEnvironment },
  call: WriteCall,
): Promise<WriteOutcome> {
  // The write may have waited long for the lock.
  call.stop.throwIfOver();
  const request = createKeyedRequest(call);
  const repeated = request && (await findRepeatedRequest(tx, request));
  call.stop.throwIfOver();
  if (repeated !== undefined) return { answer: repeated };
  const touched = new TouchedItems();
  const state = { rollBack: false, erases: call.operation.erases === true };
  const shared = sharedContext({ tx, database }, environment, call);
  const change = await ChangeRecorder.begin(tx, createChange(call), shared.now);
  const context: OperationContext = {
    ...shared,
    change: change.number,
    emit: async (event) => change.emit(event),
    touch: (kind, number) => touched.add(kind, number),
    touchNew: (item) => touched.addNew(item),
    renew: (episodes) => {
      for (const number of episodes) touched.readers.add(number);
    },
    rollBackAfterwards: () => {
      state.rollBack = true;
    },
    hasErasedNothing: () => {
      state.erases = false;
    },
  };
  const output = await call.operation.run(
    context,
    await requireVersion(tx, call.operation, call.input),
  );
  if (state.rollBack) throw new RolledBack(output);
  await updateIndex(tx, touched, call.damaged);
  const isStored = await change.finish();
  const { once } = call.options;
  if (once !== undefined) await forgetResults(tx, once, shared.now);
  if (request !== undefined) {
    const created = isStored ? await change.number : null;
    await storeResult(tx, request, { output, now: shared.now, change: created });
  }
  if (state.erases) await setErasingMark(tx, await change.number);
  call.stop.throwIfOver();
  return {
    answer: output,
    change: isStored ? changeId(await change.number) : undefined,
    isErasing: state.erases || (await change.findsUnfinishedPurge),
  };
}

function createChange({ operation, input, options }: OperationCall): NewChange {
  const { asserted_by: asserter, session } = input;
  return {
    operation: operation.name,
    surface: options.surface ?? "library",
    author: options.caller?.name ?? (typeof asserter === "string" ? asserter : options.author),
    session: options.run ?? (typeof session === "string" ? session : options.session),
  };
}

/** Rolls back the transaction and carries the result. */
class RolledBack extends Error {
  readonly output: unknown;

  constructor(output: unknown) {
    super("rolled back");
    this.output = output;
  }
}

interface WriteTransaction {
  readonly tx: Tx;
  readonly database: Database;
}

function sharedContext(
  { tx, database }: WriteTransaction,
  environment: OperationEnvironment,
  call: OperationCall,
) {
  const { clock, ids, episodeTypes, operations, limits, logger, location, damage } = environment;
  const now = toTimestamp(clock.now());
  const { prepared, options, input } = call;
  const collisions = { all: input.collisions === "all", left: INPUT_LIMITS.comparedCollisions };
  return {
    tx,
    now,
    ids,
    episodeTypes,
    operations,
    limits,
    logger,
    location,
    collisions,
    prepared,
    options,
    findOtherCopies: () => database.findOtherCopies(tx),
    warnDamage: (part: IndexPart) => damage.warn(part),
  };
}

function forbiddenError(): never {
  throw new Error("A read operation must not write.");
}

const READ_ONLY_CONTEXT = {
  change: Promise.resolve(0),
  emit: forbiddenError,
  touch: forbiddenError,
  touchNew: forbiddenError,
  renew: forbiddenError,
  rollBackAfterwards: forbiddenError,
  hasErasedNothing: forbiddenError,
};

function createKeyedRequest(call: OperationCall): KeyedRequest | undefined {
  const key = readIdempotencyKey(call);
  if (key !== undefined) return { key, operation: call.operation.name, hash: requestHash(call) };
  const { once } = call.options;
  if (once === undefined || call.input.dry_run === true) return undefined;
  return runKeyedRequest(once, call.operation.name);
}

function readIdempotencyKey({ input }: OperationCall): string | undefined {
  const key = isPlainObject(input) ? input.idempotency_key : undefined;
  return typeof key === "string" && input.dry_run !== true ? key : undefined;
}

function requestHash(call: OperationCall): string {
  const { idempotency_key: _key, ...request } = call.input;
  return createHash("sha256")
    .update(canonicalJson({ operation: call.operation.name, request }))
    .digest("hex");
}
