import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { pathOfDriver13 } from "../../src/database/sqlite/driver.ts";
import { packageRoot } from "../../src/shared/package.ts";
import { temporaryFolder } from "../support/memory-server.ts";

it("reads immutable files after opening another program's database", () => {
  const path = join(temporaryFolder(), "other.db");
  new Database(path).exec("create table notes (text)").close();
  const child = resolve(import.meta.dirname, "support/read-another-first.child.ts");
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const output = execFileSync(process.execPath, ["--import", "tsx", child, path], {
    encoding: "utf8",
    env,
    cwd: packageRoot(),
  });
  expect(output).toContain("read");
}, 180_000);

it("opens connections in one place only", () => {
  const source = join(packageRoot(), "src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const makers = files.filter((name) =>
    /^import (?!type).*from "better-sqlite3";$/m.test(readFileSync(join(source, name), "utf8")),
  );
  expect(makers).toEqual([join("database", "sqlite", "driver.ts")]);
});

it("uses the driver for the running Node.js version", () => {
  const root = temporaryFolder();
  expect(pathOfDriver13(root, "24.21.0")).toBeUndefined();
  const shipped = join(root, "dist/driver/lib/index.js");
  mkdirSync(join(root, "dist/driver/lib"), { recursive: true });
  writeFileSync(shipped, "");
  expect(["22.0.0", "24.21.0", "26.1.0"].map((node) => pathOfDriver13(root, node))).toEqual([
    shipped,
    shipped,
    shipped,
  ]);
  expect(pathOfDriver13(root, "20.20.2")).toBeUndefined();
});
