import BetterSqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";

export function openPlanRecorder(path: string) {
  const connection = new BetterSqlite(path, { readonly: true });
  const statements: { query: string; params: unknown[] }[] = [];
  const logger = {
    logQuery: (query: string, params: unknown[]) => void statements.push({ query, params }),
  };
  const queries = drizzle({ client: connection, logger });
  return {
    tx: Object.assign(queries, { engine: "sqlite" as const }),
    read: () =>
      statements.flatMap(({ query, params }) =>
        connection
          .prepare<unknown[], { detail: string }>(`explain query plan ${query}`)
          .all(...params)
          .map(({ detail }) => detail),
      ),
    [Symbol.dispose]: () => void connection.close(),
  };
}
