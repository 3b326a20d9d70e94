import { yieldToEventLoop } from "../../shared/async.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import type { Memory } from "../memory.ts";
import type { PassageRecord, SourceRecord } from "./source.schema.ts";

const BATCH_SIZE = 500;

type LoadOptions = Pick<ExecuteOptions, "signal">;

export async function* storedSources(
  memory: Memory,
  until: LoadOptions = {},
): AsyncGenerator<SourceRecord> {
  for (let page = 1; ; page += 1) {
    const { sources } = await memory.execute("list_sources", { page, limit: BATCH_SIZE }, until);
    yield* sources;
    if (sources.length < BATCH_SIZE) return;
    await yieldToEventLoop();
  }
}

export async function* storedPassages(
  memory: Memory,
  { id }: Pick<SourceRecord, "id">,
  until: LoadOptions = {},
): AsyncGenerator<readonly PassageRecord[]> {
  for (let page = 1; ; page += 1) {
    const requested = { source_id: id, page, limit: BATCH_SIZE };
    const { passages } = await memory.execute("get_source", requested, until);
    if (passages.length > 0) yield passages;
    if (passages.length < BATCH_SIZE) return;
    await yieldToEventLoop();
  }
}
