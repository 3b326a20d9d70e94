import { messageOf } from "../../shared/errors.ts";
import { checkThreadId } from "./thread-id.ts";
import { type RecordPlace, ThreadRecord } from "./thread-record.ts";

/** Records of the threads of a project, oldest first; one that cannot be read is left out. */
export async function findRecords(place: RecordPlace): Promise<readonly ThreadRecord[]> {
  const records: ThreadRecord[] = [];
  for (const threadId of await place.files.threadIds()) {
    try {
      checkThreadId(threadId);
      const record = await ThreadRecord.find(place, threadId);
      if (record !== undefined) records.push(record);
    } catch (error) {
      place.logger.warn(`The thread "${threadId}" could not be read: ${messageOf(error)}`);
    }
  }
  return records.sort((a, b) => (a.state.createdAt < b.state.createdAt ? -1 : 1));
}
