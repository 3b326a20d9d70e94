import { respondToParent } from "../../shared/own-process.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

respondToParent(async ({ path }: { readonly path: string }) => {
  const database = new SqliteDatabase({ path });
  try {
    await database.erase();
  } finally {
    await database.close();
  }
});
