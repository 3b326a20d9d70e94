import { answerParent } from "../../shared/own-process.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

answerParent(async ({ path }: { readonly path: string }) => {
  const database = new SqliteDatabase({ path });
  try {
    await database.erase();
  } finally {
    await database.close();
  }
});
