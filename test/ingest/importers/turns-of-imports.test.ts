import { expect, it } from "vitest";
import {
  heldImportInput,
  importerNamed,
  mergeMemory,
  runImport,
} from "../../../src/ingest/importers/index.ts";
import { testMemory } from "../../support/test-memory.ts";
import { countingTurns } from "../../support/turns.ts";

const RECORDS = 2_600;

const episode = (n: number) => ({ content: `Note ${n}`, entities: [`file:f${n}`] });

it("yields between pages while merging two memories", {
  tags: ["long"],
}, async () => {
  await countingTurns(async (turn) => {
    const turns: number[] = [];
    await using from = testMemory({ name: "from", onStatement: () => turns.push(turn()) });
    await using into = testMemory({ name: "into" });
    const ops = Array.from({ length: RECORDS }, (_, n) => ({ op: "remember", ...episode(n) }));
    for (const { call } of [from, into]) await call("apply", { changeset: JSON.stringify(ops) });
    turns.length = 0;
    const report = await mergeMemory({ from: from.memory, into: into.memory, dryRun: false });
    expect(report).toMatchObject({ added: 0, known: RECORDS });
    // Episodes are read twice, 500 at a time.
    expect(new Set(turns).size).toBeGreaterThanOrEqual(10);
  });
});

it("yields between pages of earlier imports", async () => {
  await countingTurns(async (turn) => {
    const turns: number[] = [];
    const isPage = (text: string) => /left join "facts"/.test(text);
    await using test = testMemory({ onStatement: (text) => isPage(text) && turns.push(turn()) });
    const lines = Array.from({ length: RECORDS }, (_, n) =>
      JSON.stringify({ id: n, ...episode(n) }),
    );
    const input = heldImportInput(new TextEncoder().encode(lines.join("\n")), "notes.jsonl");
    const work = { memory: test.memory, importer: importerNamed("jsonl"), input, options: {} };
    expect(await runImport(work)).toMatchObject({ added: RECORDS });
    turns.length = 0;
    expect(await runImport(work)).toMatchObject({ added: 0, known: RECORDS });
    expect(new Set(turns).size).toBeGreaterThanOrEqual(3);
  });
});
