import { OtherDatabase } from "../../../src/database/sqlite/driver.ts";
import { openConnection } from "../../../src/database/sqlite/open-connection.ts";

/** Child process: reads another program's database, then opens a file in immutable mode. */
const [path = ""] = process.argv.slice(2);
new OtherDatabase(path)[Symbol.dispose]();
const connection = openConnection({ path, mode: "immutable" });
console.log(connection.prepare("select 'read' as told").all());
connection.close();
