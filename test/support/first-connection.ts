import { connectDriver } from "../../src/database/sqlite/driver.ts";

// The driver enables file URLs on a process's first connection, and some tests open files
// directly.
connectDriver(":memory:", {}).close();
