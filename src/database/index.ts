export {
  type BrokenReference,
  brokenReferences,
  byEngine,
  deferReferences,
  keepNumbersUsed,
  listOfRows,
  listOfValues,
  noteAllRows,
  numberSet,
  numbersNamed,
  ROW_PLACE,
  rowSet,
  rowsNamed,
  textSet,
  textsNamed,
  type ValueList,
} from "./by-engine.ts";
export { hasRoundTrips, readConcurrently } from "./concurrent-reads.ts";
export { isConstraintError } from "./constraint-error.ts";
export type {
  BinnedDatabase,
  Database,
  DatabaseOptions,
  DatabasePlace,
  Engine,
  LeftOver,
  MigratedDatabase,
  MigrateOptions,
  PlaceState,
  Standing,
  StoredDatabase,
  Tx,
} from "./database.ts";
export { cachePerFile, RENEWED_MS, type StoredToken, type StoredTokens } from "./database.ts";
export { enableGenericPlans, withPlanPerValue } from "./generic-plans.ts";
export { insertNumberedRows, insertRows } from "./insert-rows.ts";
export { integrityFaults, rebuildIndexes } from "./integrity.ts";
export { NotedCopies, type NotedCopy } from "./noted-copies.ts";
export { isNumbered } from "./numbered-rows.ts";
export { openPlace } from "./open-store.ts";
export { parsePostgresAddress } from "./postgres/postgres-address.ts";
export {
  limitNamed,
  preparedQuery,
  type QueryShape,
  type QueryValues,
  rowQuery,
  selectRows as getRows,
} from "./prepared-query.ts";
export type {
  RecordRange,
  RecordReader,
  RecordWriter,
  StoredRecord,
  StoredRecords,
} from "./record-store.ts";
export { inSavepoint, recoverably } from "./savepoint.ts";
export type { SchemaPart } from "./schema-part.ts";
export { schemaParts } from "./schema-parts.ts";
export { type PostgresOptions, type PostgresSettings, postgresSettings } from "./settings.ts";
export {
  claim,
  concatenatedBytes,
  contains,
  endsWithAny as getEndsInOne,
  FOR_SHARE,
  firstJsonItem as getFirstItem,
  greatestOf as getLarger,
  isNotNumber,
  isNotTime,
  jsonMember as getMember,
  leastOf as getSmaller,
  RANDOM_NUMBER,
  rowsAsJson,
  THEN_JOIN,
  thenJoinEach,
} from "./sql-functions.ts";
export { DatabaseFolder } from "./sqlite/database-folder.ts";
export { OtherDatabase, type OtherRow } from "./sqlite/driver.ts";
export { findInFile } from "./sqlite/find-bytes.ts";
export { checkDriver, loadVectorFunctions, withShadowTables } from "./sqlite/open-connection.ts";
export { SqliteDatabase, type SqliteDatabaseOptions } from "./sqlite/sqlite-database.ts";
export { findSqliteCode as getSqliteCode } from "./sqlite/sqlite-error.ts";
export {
  type CallStop,
  inTime,
  isTimeUp,
  requireTime,
  withStop,
  withTimeLimit,
} from "./time-limit.ts";
export { catchUpNumbers, highestNumberUsed } from "./used-numbers.ts";
