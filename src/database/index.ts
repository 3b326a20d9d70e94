export { hasRoundTrips, readConcurrently } from "./concurrent-reads.ts";
export { isConstraintError } from "./constraint-error.ts";
export type {
  BackendState,
  BinnedDatabase,
  Database,
  DatabaseBackend,
  DatabaseOptions,
  DatabaseStatus,
  Engine,
  MigratedDatabase,
  MigrateOptions,
  StoredDatabase,
  TextOccurrence,
  Tx,
} from "./database.ts";
export {
  cachePerFile,
  RENEWAL_INTERVAL_MS,
  type StoredToken,
  type StoredTokens,
} from "./database.ts";
export { enableGenericPlans, withPlanPerValue } from "./generic-plans.ts";
export { insertNumberedRows, insertRows } from "./insert-rows.ts";
export { findIntegrityFaults, rebuildIndexes } from "./integrity.ts";
export { isNumbered } from "./numbered-rows.ts";
export { openDatabaseBackend } from "./open-store.ts";
export { parsePostgresAddress } from "./postgres/postgres-address.ts";
export {
  limitNamed,
  preparedQuery,
  type QueryShape,
  type QueryValues,
  rowQuery,
  selectRows,
} from "./prepared-query.ts";
export type {
  RecordRange,
  RecordReader,
  RecordWriter,
  StoredRecord,
  StoredRecords,
} from "./record-store.ts";
export { RecordedCopies, type RecordedCopy } from "./recorded-copies.ts";
export { inSavepoint, inSavepointIfPostgres } from "./savepoint.ts";
export type { SchemaPart } from "./schema-part.ts";
export { schemaParts } from "./schema-parts.ts";
export {
  type BrokenReference,
  deferReferences,
  findBrokenReferences,
  listOfRows,
  listOfValues,
  logAllRows,
  numberSet,
  numbersParameter,
  ROW_LOCATION,
  recordUsedNumbers,
  rowSet,
  rowsParameter,
  selectByEngine,
  textSet,
  textsParameter,
  type ValueList,
} from "./select-by-engine.ts";
export { type PostgresOptions, type PostgresSettings, postgresSettings } from "./settings.ts";
export {
  claimRows,
  concatenatedBytes,
  contains,
  endsWithAny,
  FOR_SHARE,
  firstJsonItem,
  isInvalidNumber,
  isInvalidTime,
  jsonMember,
  ORDERED_JOIN,
  orderedJoin,
  RANDOM_NUMBER,
  rowsAsJson,
  scalarMax,
  scalarMin,
} from "./sql-functions.ts";
export { DatabaseFolder } from "./sqlite/database-folder.ts";
export { OtherDatabase, type OtherRow } from "./sqlite/driver.ts";
export { findInFile } from "./sqlite/find-bytes.ts";
export { checkDriver, loadVectorFunctions, withShadowTables } from "./sqlite/open-connection.ts";
export { SqliteDatabase, type SqliteDatabaseOptions } from "./sqlite/sqlite-database.ts";
export { findSqliteCode } from "./sqlite/sqlite-error.ts";
export {
  type CallStop,
  isTimeUp,
  requireTime,
  runWithStop,
  withinTime,
  withTimeLimit,
} from "./time-limit.ts";
export { catchUpNumbers, highestNumberUsed } from "./used-numbers.ts";
