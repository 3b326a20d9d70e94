import type { Tx } from "./tx.ts";

/** What holds a database. */
export type Engine = "sqlite";

export function engineOf(_tx: Tx): Engine {
  return "sqlite";
}
