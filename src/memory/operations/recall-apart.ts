import type { Database } from "../../database/index.ts";
import { toTimestamp } from "../../shared/clock.ts";
import { ALONE } from "../context/shared-search.ts";
import type { RecallProcesses } from "../recall/apart/recall-processes.ts";
import { type RecallQuestion, toSend } from "../recall/apart/recall-question.ts";
import type { PreparedRecall } from "../recall/prepare-recall.ts";
import type { RecallRequest } from "../recall/recall.schema.ts";
import { isForModel, recallOperation } from "./read/recall.ts";
import type { OperationCall, OperationEnvironment } from "./run-operation.ts";

interface Apart {
  readonly database: Database;
  readonly environment: OperationEnvironment;
  readonly processes: RecallProcesses;
}

/**
 * Does a read, and a recall of a file in a process of its own if recalls wait for each other. Who may ask was
 * decided before; what follows from the answer is done here, as if it had been found here.
 */
export async function readOrRecallApart(
  { database, environment, processes }: Apart,
  call: OperationCall,
  here: () => Promise<unknown>,
): Promise<unknown> {
  const path = database.fileWorkedOnApart;
  const prepared = preparedAlone(call);
  if (path === undefined || prepared === undefined) return here();
  return processes.counted(async () => {
    const { stop, options } = call;
    const ask = () => questionOf(call, { path, prepared, environment });
    const answer = await processes.ask(ask, stop.signal);
    if (answer === undefined) return here();
    stop.throwIfOver();
    for (const part of answer.damaged) environment.damage.tell(part);
    options.onLeftOut?.(answer.leftOut);
    return options.consume === undefined ? answer.output : options.consume(answer.output);
  });
}

/** Undefined unless it is a recall in one layer, by the time that passes. */
function preparedAlone({ operation, options, prepared }: OperationCall) {
  if (operation !== recallOperation || options.pace !== undefined) return undefined;
  // What `prepare` of this operation returns.
  const recall = prepared as PreparedRecall;
  return recall.layers === ALONE ? recall : undefined;
}

function questionOf(
  { input, options, stop }: OperationCall,
  {
    path,
    prepared,
    environment,
  }: Pick<Apart, "environment"> & {
    readonly path: string;
    readonly prepared: PreparedRecall;
  },
): RecallQuestion {
  const { clock, episodeTypes, place } = environment;
  return {
    kind: "recall",
    ...{ path, episodeTypes, place },
    // Validated by the schema of the operation.
    request: input as RecallRequest,
    prepared: toSend(prepared),
    now: toTimestamp(clock.now()),
    leftMs: stop.leftMs,
    isModel: isForModel(options),
  };
}
