import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../../src/shared/package.ts";

const FOLDER = join(packageRoot(), ".github/workflows");
const { scripts } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));

it.each(readdirSync(FOLDER))(
  "%s requires read permission only, and runs existing scripts",
  (name) => {
    const text = readFileSync(join(FOLDER, name), "utf8");
    const { jobs, permissions } = parse(text);
    expect(permissions).toEqual({ contents: "read" });
    expect(Object.keys(jobs).length).toBeGreaterThan(1);
    const named = Array.from(text.matchAll(/npm run ([\w:]+)/g), (match) => match[1] ?? "");
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  },
);
