import { answerParent } from "../../shared/own-process.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

/** Rewrites the file at `path` in this process, so that the asking process can go on answering others. */
answerParent(async ({ path }: { readonly path: string }) => {
  const database = new SqliteDatabase({ path });
  try {
    await database.erase();
  } finally {
    await database.close();
  }
});
