export { Database, type DatabaseOptions, type Tx } from "./database.ts";
export { databaseFileExists } from "./database-file.ts";
export { isForeignFile } from "./foreign-file.ts";
export { inSavepoint } from "./savepoint.ts";
