import { expect, it } from "vitest";
import { allScenes, CLASSES, HALVES, LANGUAGES } from "../../bench/learning/scenes.ts";

const scenes = allScenes();

it("has at least 400 scenes, and each class in each language and half", () => {
  expect(scenes.length).toBeGreaterThanOrEqual(400);
  const seen = new Set(scenes.map(({ half, language, kind }) => `${half} ${language} ${kind}`));
  const wanted = HALVES.flatMap((half) =>
    LANGUAGES.flatMap((language) => CLASSES.map((kind) => `${half} ${language} ${kind}`)),
  );
  expect(wanted.filter((cell) => !seen.has(cell))).toEqual([]);
  expect([...seen].filter((cell) => !wanted.includes(cell))).toEqual([]);
});

it("asks only for what somebody said who may be quoted", () => {
  const unsaid = scenes.filter(({ expected, turns }) => {
    if (expected === undefined) return false;
    const wanted = expected.text.toLowerCase();
    return !turns.some(
      ({ by, text }) => expected.saidBy.includes(by) && text.toLowerCase().includes(wanted),
    );
  });
  expect(unsaid.map(({ id, expected }) => `${id} ${expected?.text}`)).toEqual([]);
});

it("has no scene in both halves", () => {
  const texts = scenes.map(({ turns }) => turns.map(({ text }) => text).join("\n"));
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});
