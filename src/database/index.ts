export { Database, type DatabaseOptions, type Tx } from "./database.ts";
export { databaseFileExists } from "./open-connection.ts";
export { inSavepoint } from "./savepoint.ts";
