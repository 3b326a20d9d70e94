import { ForeignDatabase } from "./application-id.ts";
import { identityOf, sizeOf } from "./database-file.ts";
import { requireOurFile } from "./inspect-file.ts";
import { OpenFile } from "./open-file.ts";

/** Whether the file is a complete SQLite database of another program. */
export function isForeignFile(path: string): boolean {
  const identity = identityOf(path);
  if (identity === undefined || sizeOf(path) === 0 || OpenFile.isHeld(identity)) return false;
  try {
    requireOurFile(path);
    return false;
  } catch (error) {
    // A damaged database is listed, so that the doctor can be asked about it.
    return error instanceof ForeignDatabase;
  }
}
