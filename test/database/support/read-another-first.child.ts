import { OtherDatabase } from "../../../src/database/sqlite/driver.ts";
import { openConnection } from "../../../src/database/sqlite/open-connection.ts";

/** Reads the database of another program, and then one as a file that nobody changes. */
const [path = ""] = process.argv.slice(2);
new OtherDatabase(path)[Symbol.dispose]();
const connection = openConnection({ path, mode: "immutable" });
console.log(connection.prepare("select 'read' as told").all());
connection.close();
