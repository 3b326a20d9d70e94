import { answerParent } from "../../kernel/answer-parent.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

/** Writes the file at `path` anew for a process that goes on answering others meanwhile. */
answerParent(async ({ path }: { readonly path: string }) => {
  const database = new SqliteDatabase({ path });
  try {
    await database.erase();
  } finally {
    await database.close();
  }
});
