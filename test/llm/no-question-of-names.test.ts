import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SERVICE_NAMES } from "../../src/llm/profiles/services.ts";

const names = SERVICE_NAMES.map((name) => name.replace("-", "\\-")).join("|");
/** Matches a comparison with a service name, a `case` of it, or a set that contains one. */
const QUESTION = new RegExp(
  `[!=]==? "(?:${names})"|case "(?:${names})":|\\.(?:has|includes)\\("(?:${names})"\\)|new Set\\(\\["(?:${names})"`,
);
/** Embedders have their own names, and code may branch on a service's API. */
const ALLOWED = /^src\/embedding\/|^src\/testing\/|^src\/importers\/|\bapi\b|\.api [!=]== /;

it("no code branches on service names", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const requests = files.flatMap((file) =>
    readFileSync(join("src", file), "utf8")
      .split("\n")
      .filter((line) => QUESTION.test(line) && !ALLOWED.test(`src/${file}`) && !ALLOWED.test(line))
      .map((line) => `src/${file}: ${line.trim()}`),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(requests).toEqual([]);
});
