import { expect, it } from "vitest";
import {
  createImportInput,
  importerNamed,
  runImport,
} from "../../../src/ingest/importers/index.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { countTurns } from "../../support/turns.ts";

const RECORDS = 2_600;

const episode = (n: number) => ({ content: `Note ${n}`, entities: [`file:f${n}`] });

it("yields between pages of earlier imports", async () => {
  await countTurns(async (turn) => {
    const turns: number[] = [];
    const isPage = (text: string) => /left join "facts"/.test(text);
    await using test = createTestMemory({
      onStatement: (text) => isPage(text) && turns.push(turn()),
    });
    const lines = Array.from({ length: RECORDS }, (_, n) =>
      JSON.stringify({ id: n, ...episode(n) }),
    );
    const input = createImportInput(new TextEncoder().encode(lines.join("\n")), "notes.jsonl");
    const work = { memory: test.memory, importer: importerNamed("jsonl"), input, options: {} };
    expect(await runImport(work)).toMatchObject({ added: RECORDS });
    turns.length = 0;
    expect(await runImport(work)).toMatchObject({ added: 0, known: RECORDS });
    expect(new Set(turns).size).toBeGreaterThanOrEqual(3);
  });
});
