import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { drawStory } from "../../scripts/pictures/draw-story.ts";
import { tellStory } from "../../scripts/pictures/tell-story.ts";
import { packageRoot } from "../../src/shared/package.ts";
import { buildCli } from "../support/built-cli.ts";

const ROOT = packageRoot();

it("the README's session picture shows the actual output", {
  tags: ["long"],
  timeout: 180_000,
}, async () => {
  const story = tellStory(await buildCli());
  expect(story.given.join("\n")).toContain("Round once, at the end, half to even.");
  for (const theme of ["light", "dark"] as const) {
    const drawn = readFileSync(join(ROOT, `docs/pictures/session-${theme}.svg`), "utf8");
    expect(drawStory(story, theme), "run `npm run pictures`").toBe(drawn);
  }
});

it("every picture of the README exists", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const named = Array.from(readme.matchAll(/(?:src|srcset)="([^"]+)"/g), (match) => match[1] ?? "");
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
