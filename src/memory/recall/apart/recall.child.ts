import { SqliteDatabase, withStop } from "../../../database/index.ts";
import { answerQuestions } from "../../../shared/asked-process.ts";
import { systemClock } from "../../../shared/clock.ts";
import { Stop } from "../../../shared/deadline.ts";
import type { DerivedPart } from "../../context/derived-part.ts";
import { recall } from "../recall.ts";
import {
  asPrepared,
  type ProcessQuestion,
  type RecallAnswer,
  type RecallQuestion,
} from "./recall-question.ts";

/** Each holds a few connections and up to 100 MB of pages. */
const MOST_OPEN = 4;

/** Open files by path; the one that was used last stands last. */
const open = new Map<string, SqliteDatabase>();

answerQuestions(async (question: ProcessQuestion, signal) => {
  if (question.kind === "recall") return answer(question, signal);
  if (question.kind === "forget") await forget(question.path);
  return undefined;
});

/** Reads in one transaction that begins after the question came, so that it sees all that was stored before. */
async function answer(question: RecallQuestion, signal: AbortSignal): Promise<RecallAnswer> {
  const { path, request, prepared, leftMs: timeoutMs, isModel, ...context } = question;
  const stop = new Stop({ signal, timeoutMs }, systemClock);
  const damaged: DerivedPart[] = [];
  let leftOut: RecallAnswer["leftOut"] = [];
  try {
    const output = await databaseAt(path).read((tx) =>
      withStop(tx, stop, () =>
        recall(
          {
            ...{ ...context, tx, isModel },
            tellDamage: (part) => damaged.push(part),
            onLeftOut: (items) => {
              leftOut = items;
            },
          },
          request,
          asPrepared(prepared),
        ),
      ),
    );
    stop.throwIfOver();
    return { output, leftOut, damaged };
  } finally {
    stop.done();
  }
}

function databaseAt(path: string): SqliteDatabase {
  const database = open.get(path) ?? new SqliteDatabase({ path });
  open.delete(path);
  open.set(path, database);
  for (const other of [...open.values()].slice(0, -MOST_OPEN)) other.rest();
  return database;
}

async function forget(path: string): Promise<void> {
  const database = open.get(path);
  open.delete(path);
  await database?.close();
}
