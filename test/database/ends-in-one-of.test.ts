import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { endsWithAny, listOfValues, rowQuery, textsParameter } from "../../src/database/index.ts";
import { describeOnEveryEngine } from "../support/describe-on-every-engine.ts";

const ENDING = [
  "Who?",
  "誰？",
  "من؟",
  "Who? ",
  "誰？   ",
  "من؟ ",
  "?",
  "Who\n?",
  "Who\0?",
  "\0？  ",
];
/** Some end in the last byte of such a character, but not in the character. */
const OTHERS = [
  "Who",
  "Who?!",
  "Who ",
  "Who?\n",
  " ",
  "",
  "П",
  "ߟ",
  "Ο",
  "ˎ\u029f",
  "？誰",
  "? a",
  "Who?\0",
  "?\0who",
];

const ending = rowQuery<[text: string, ends: number | boolean]>(
  () => sql`select value, ${endsWithAny(sql`value`, ["?", "？", "؟"])}
    from (${textsParameter("texts")}) listed`,
);

describeOnEveryEngine("a text that ends in one of several characters", (open) => {
  it("detects the last character regardless of trailing spaces and byte length", async () => {
    await using empty = open();
    await empty.database.write(async () => undefined);
    const texts = [...ENDING, ...OTHERS];
    const rows = await empty.database.read((tx) => ending(tx, { texts: listOfValues(texts) }));
    expect(rows).toHaveLength(texts.length);
    expect(rows.filter(([, ends]) => Boolean(ends)).map(([text]) => text)).toEqual(ENDING);
  });
});
