import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/shared/package.ts";

/** Files that may depend on the engine. SQL in all others must work on both. */
const MAY_KNOW = /^src\/(database\/|memory\/(search\/|totals\.ts))/;
const ASKS = /\.engine\b|\bengine\s*[!=]==|\{[^{}]*\bengine\b[^{}]*\}\s*=[^=>]/;

function files(): string[] {
  return readdirSync(join(packageRoot(), "src"), { recursive: true, encoding: "utf8" })
    .map((path) => `src/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path));
}

it("only the database and the indexes inspect the engine", () => {
  const asking = files().filter((path) =>
    ASKS.test(readFileSync(join(packageRoot(), path), "utf8")),
  );
  expect(asking.filter((path) => MAY_KNOW.test(path)).length).toBeGreaterThan(3);
  expect(asking.filter((path) => !MAY_KNOW.test(path))).toEqual([]);
});
