import { expect, it } from "vitest";
import {
  createImportInput,
  importerNamed,
  importInWorker,
} from "../../../src/ingest/importers/index.ts";

function textOf(from: string, content: string) {
  return { from, bytes: new TextEncoder().encode(content), name: "notes", options: {} };
}

async function recordsOf<T>(records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const record of records) found.push(record);
  return found;
}

it("yields the records that the importer yields", async () => {
  const lines = Array.from({ length: 1_100 }, (_, n) =>
    JSON.stringify({ id: n, content: `n ${n}` }),
  );
  const text = textOf("jsonl", [...lines, "{broken"].join("\n"));
  const inThread = importerNamed("jsonl").read(createImportInput(text.bytes, text.name), {});
  expect(await recordsOf(importInWorker(text, undefined))).toEqual(await recordsOf(inThread));
});

it("throws the importer's errors", async () => {
  await expect(recordsOf(importInWorker(textOf("mem0", "{"), undefined))).rejects.toMatchObject({
    code: "invalid_input",
  });
});

it("stops with the request", async () => {
  const controller = new AbortController();
  const lines = '{"content":"x"}\n'.repeat(100_000);
  const records = importInWorker(textOf("jsonl", lines), controller.signal);
  await records.next();
  controller.abort();
  await expect(recordsOf(records)).rejects.toThrow(/abort/);
});
