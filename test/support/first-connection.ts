import { connectDriver } from "../../src/database/sqlite/driver.ts";

// The driver asks for file URLs at the first connection of a process: tests open files of their own before.
connectDriver(":memory:", {}).close();
