import { it } from "vitest";
import { ENGINE } from "./test-place.ts";

/** For what only a file has: pages, query plans, rows that statements pass over, SQL of its own. */
export const itOnSqlite = it.skipIf(ENGINE !== "sqlite");
