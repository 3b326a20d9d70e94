import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { drawStory } from "./pictures/draw-story.ts";
import { photographPage } from "./pictures/photograph-page.ts";
import { tellStory } from "./pictures/tell-story.ts";

/** Redraws the pictures of the README from the output of the built program. */
const ROOT = resolve(import.meta.dirname, "..");
const FOLDER = join(ROOT, "docs/pictures");

const story = tellStory(join(ROOT, "bin/cairn.js"));
mkdirSync(FOLDER, { recursive: true });
for (const theme of ["light", "dark"] as const) {
  writeFileSync(join(FOLDER, `session-${theme}.svg`), drawStory(story, theme));
}
await photographPage(ROOT, (theme) => join(FOLDER, `page-${theme}.png`));
