import { it } from "vitest";
import { ENGINE } from "./test-backend.ts";

/** For tests of SQLite features: pages, query plans, rows read, SQL dialect. */
export const itOnSqlite = it.skipIf(ENGINE !== "sqlite");
