import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";

const foldersOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

function testedBy(script: string): string[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  return Array.from(
    String(scripts[script]).matchAll(/test\/([\w-]+)\//g),
    ([, name]) => name ?? "",
  );
}

interface Rule {
  readonly name: string;
  readonly from: { readonly path?: string };
}

/** The rooms that a rule of dependency-cruiser begins in. */
function roomsOf(name: string): string[] {
  const config = createRequire(import.meta.url)("../../.dependency-cruiser.cjs");
  const rule = (config.forbidden as readonly Rule[]).find((one) => one.name === name);
  return (/\((.*)\)/.exec(rule?.from.path ?? "")?.[1] ?? "").split("|");
}

/** Rooms that put the halves together, or are free for both. */
const BETWEEN = ["app", "cli", "config", "kernel", "library", "testing"];

it("has every room of src in one half, or between the two", () => {
  const known = [...roomsOf("memory-half"), ...roomsOf("agent-half"), ...BETWEEN];
  expect(known.sort(), ".dependency-cruiser.cjs, HALVES").toEqual(foldersOf("src").sort());
});

it("tests every folder by npm run test:memory or npm run test:agent, and by one of them", () => {
  const tested = [...testedBy("test:memory"), ...testedBy("test:agent")];
  const folders = foldersOf("test").filter((name) => name !== "slow" && name !== "support");
  expect(tested.sort(), "package.json, scripts").toEqual(folders.sort());
});
