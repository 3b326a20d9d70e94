export { Database, type DatabaseOptions } from "./database.ts";
export { databaseFileExists, fileOfOtherCase } from "./database-file.ts";
export { DatabaseFolder } from "./database-folder.ts";
export type { BinnedDatabase, DatabasePlace, StoredDatabase } from "./database-place.ts";
export { deferReferences } from "./defer-references.ts";
export { type Engine, engineOf } from "./engine.ts";
export { insertNumberedRows, insertRows } from "./insert-rows.ts";
export type { KeptToken, KeptTokens } from "./kept-tokens.ts";
export { checkDriver } from "./open-connection.ts";
export {
  preparedQuery,
  type QueryShape,
  type QueryValues,
  rowQuery,
  rowsOf,
} from "./prepared-query.ts";
export { keepNumbersUsed, noteAllRows } from "./row-log.ts";
export { inSavepoint } from "./savepoint.ts";
export { withShadowTables } from "./shadow-tables.ts";
export { isConstraintError, sqliteCodeOf } from "./sqlite-error.ts";
export type { Tx } from "./tx.ts";
export { listOfValues, pairsNamed, valueSet, valuesNamed } from "./value-set.ts";
