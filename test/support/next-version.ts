import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Migration } from "../../src/database/postgres/migrations.ts";
import { packageRoot } from "../../src/shared/package.ts";
import { buildCli } from "./built-cli.ts";

export type FurtherScript = Pick<Migration, "name" | "kind"> & { readonly sql: string };

/**
 * Copies `cairn` with additional PostgreSQL migrations, like a future version. Removed after the
 * test.
 */
export async function buildNextVersion(scripts: readonly FurtherScript[]): Promise<string> {
  const root = packageRoot();
  const main = await buildCli();
  // Inside the repository, so that packages resolve.
  const folder = join(dirname(dirname(main)), `next-${process.pid}`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  cpSync(join(root, "drizzle"), join(folder, "drizzle"), { recursive: true });
  cpSync(dirname(main), join(folder, "dist"), { recursive: true });
  const list = join(folder, "drizzle/postgres/scripts.json");
  const released = JSON.parse(readFileSync(list, "utf8")) as unknown[];
  const named = scripts.map(({ name, kind }) => ({ name, kind }));
  writeFileSync(list, JSON.stringify([...released, ...named]));
  for (const { name, sql } of scripts) {
    writeFileSync(join(folder, "drizzle/postgres", `${name}.sql`), sql);
  }
  return join(folder, "dist/main.js");
}
