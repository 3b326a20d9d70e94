import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SERVICE_NAMES } from "../../src/llm/profiles/services.ts";

const names = SERVICE_NAMES.map((name) => name.replace("-", "\\-")).join("|");
/** A comparison with a service's name, a case of it, or a set that holds some. */
const QUESTION = new RegExp(
  `[!=]==? "(?:${names})"|case "(?:${names})":|\\.(?:has|includes)\\("(?:${names})"\\)|new Set\\(\\["(?:${names})"`,
);
/** An embedder is chosen by its own names, and the form of requests of a service may be asked for. */
const ALLOWED = /^src\/embedding\/|^src\/testing\/|^src\/importers\/|\bapi\b|\.api [!=]== /;

it("no code branches on service names", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const asked = files.flatMap((file) =>
    readFileSync(join("src", file), "utf8")
      .split("\n")
      .filter((line) => QUESTION.test(line) && !ALLOWED.test(`src/${file}`) && !ALLOWED.test(line))
      .map((line) => `src/${file}: ${line.trim()}`),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(asked).toEqual([]);
});
