export { Database, type DatabaseOptions } from "./database.ts";
export { databaseFileExists } from "./database-file.ts";
export { isForeignFile } from "./foreign-file.ts";
export { preparedQuery, type QueryShape, type QueryValues, rowQuery } from "./prepared-query.ts";
export { keepNumbersUsed, noteAllRows } from "./row-log.ts";
export { inSavepoint } from "./savepoint.ts";
export { withShadowTables } from "./shadow-tables.ts";
export type { Tx } from "./tx.ts";
export { listOfValues, valueSet, valuesNamed } from "./value-set.ts";
