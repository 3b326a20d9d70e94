export { byEngine } from "./by-engine.ts";
export { type CallStop, withStop } from "./call-stop.ts";
export { isConstraintError } from "./constraint-error.ts";
export type { Database, DatabaseOptions, LeftOver } from "./database.ts";
export type {
  BinnedDatabase,
  DatabasePlace,
  MigratedDatabase,
  MigrateOptions,
  StoredDatabase,
} from "./database-place.ts";
export { deferReferences } from "./defer-references.ts";
export { insertNumberedRows, insertRows } from "./insert-rows.ts";
export { integrityFaults } from "./integrity.ts";
export { cachePerFile } from "./kept-for-file.ts";
export { keepPlans } from "./kept-plans.ts";
export type {
  RecordRange,
  RecordReader,
  RecordWriter,
  StoredRecord,
  StoredRecords,
} from "./kept-records.ts";
export { RENEWED_MS, type StoredToken, type StoredTokens } from "./kept-tokens.ts";
export { NotedCopies, type NotedCopy } from "./noted-copies.ts";
export { isNumbered } from "./numbered-rows.ts";
export { openPlace } from "./open-place.ts";
export type { PlaceState } from "./place-state.ts";
export { parsePostgresAddress } from "./postgres/postgres-address.ts";
export {
  limitNamed,
  preparedQuery,
  type QueryShape,
  type QueryValues,
  rowQuery,
  rowsOf,
} from "./prepared-query.ts";
export { type BrokenReference, brokenReferences, ROW_PLACE } from "./references.ts";
export { keepNumbersUsed, noteAllRows } from "./row-log.ts";
export { inSavepoint, recoverably } from "./savepoint.ts";
export type { SchemaPart } from "./schema-part.ts";
export { schemaParts } from "./schema-parts.ts";
export { type PostgresSettings, postgresSettings } from "./settings.ts";
export { answersAreFar, sideBySide } from "./side-by-side.ts";
export {
  bytesTogether,
  claim,
  contains,
  endsInOneOf,
  FOR_SHARE,
  firstItemOf,
  isNoNumber,
  isNoTime,
  largerOf,
  memberOf,
  RANDOM_NUMBER,
  rowsTogether,
  smallerOf,
  THEN_JOIN,
  thenJoinEach,
} from "./sql-functions.ts";
export { DatabaseFolder } from "./sqlite/database-folder.ts";
export { findInFile } from "./sqlite/find-bytes.ts";
export { checkDriver } from "./sqlite/open-connection.ts";
export { OtherDatabase, type OtherRow } from "./sqlite/other-database.ts";
export { withShadowTables } from "./sqlite/shadow-tables.ts";
export { SqliteDatabase, type SqliteDatabaseOptions } from "./sqlite/sqlite-database.ts";
export { sqliteCodeOf } from "./sqlite/sqlite-error.ts";
export type { Standing } from "./standing.ts";
export { inTime, isTimeUp, requireTime, withTimeLimit } from "./time-limit.ts";
export type { Engine, Tx } from "./tx.ts";
export { catchUpNumbers, highestNumberUsed } from "./used-numbers.ts";
export {
  listOfRows,
  listOfValues,
  numberSet,
  numbersNamed,
  rowSet,
  rowsNamed,
  textSet,
  textsNamed,
  type ValueList,
} from "./value-set.ts";
