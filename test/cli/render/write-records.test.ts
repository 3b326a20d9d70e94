import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { writeRecords } from "../../../src/cli/render/write-records.ts";
import { createCliFolders, runInProcess } from "../../support/run-cli.ts";

const TWO = {
  episodes: [
    { id: "ep:2", content: 'He said "no, never"', labels: [{ key: "a", value: "b" }] },
    { id: "ep:1", content: "one", labels: [] },
  ],
  total: 2,
};

it("writes one record a line, as CSV, by columns and by a format", () => {
  expect(writeRecords(TWO, { oneline: true })).toEqual(['ep:2  He said "no, never"', "ep:1  one"]);
  expect(writeRecords(TWO, { csv: true, columns: "id,labels,content" })).toEqual([
    "id,labels,content",
    'ep:2,a=b,"He said ""no, never"""',
    "ep:1,,one",
  ]);
  expect(writeRecords(TWO, { format: "{id}: {content} {nothing}" })[1]).toBe("ep:1: one ");
  expect(() => writeRecords(TWO, { columns: "contnt" })).toThrow('Did you mean "content"?');
});

it("writes CSV that reads back as one line for each record", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (texts) => {
      const records = texts.map((content, index) => ({ id: `ep:${index}`, content }));
      const lines = writeRecords({ records }, { csv: true });
      expect(lines.length).toBe(records.length + 1);
      expect(parse(lines.join("\n"), { columns: true })).toHaveLength(records.length);
    }),
  );
});

it("is available for all list commands", async () => {
  const folders = createCliFolders();
  await runInProcess(folders, ["remember", "x", "-t", "decision"]);
  const result = await runInProcess(folders, ["ls", "--columns", "id,episode_type", "--csv"]);
  expect(result.stdout).toBe("id,episode_type\nep:1,decision\n");
  expect((await runInProcess(folders, ["ls", "--format", "{id}"])).stdout).toBe("ep:1\n");
  expect((await runInProcess(folders, ["ls", "--columns", "nope"])).code).toBe(2);
});
