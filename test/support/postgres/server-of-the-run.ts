import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSupply } from "./database-supply.ts";
import { createLeaseFolders, initializeFolders } from "./lease-folders.ts";
import { POSTGRES_IS_MISSING, postgresPrograms } from "./postgres-programs.ts";

export default function setup(): () => Promise<void> {
  if (process.env.TEST_DATABASE === "postgres" && postgresPrograms() === undefined) {
    throw new Error(POSTGRES_IS_MISSING);
  }
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  chmodSync(folder, 0o755);
  const desk = createLeaseFolders(join(folder, "desk"));
  initializeFolders(desk);
  process.env.TEST_POSTGRES_DESK = desk.folder;
  const supply = new DatabaseSupply(desk, join(folder, "server"));
  return async () => {
    await supply.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
