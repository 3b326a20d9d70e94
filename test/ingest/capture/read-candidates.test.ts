import { appendFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Candidate, readCandidates } from "../../../src/ingest/capture/index.ts";

const CWD = "/work/shop";
const line = (record: object) => `${JSON.stringify(record)}\n`;
const said = (role: "user" | "assistant", content: string) =>
  line({ type: role, message: { role, content } });

let calls = 0;
function used(name: string, input: object, [content, failed]: readonly [string, boolean]): string {
  calls += 1;
  const id = `t${calls}`;
  const blocks = (type: "user" | "assistant", block: object) =>
    line({ type, message: { role: type, content: [block] } });
  return (
    blocks("assistant", { type: "tool_use", id, name, input }) +
    blocks("user", { type: "tool_result", tool_use_id: id, content, is_error: failed })
  );
}

const TURNS: readonly (() => string)[] = [
  () => said("user", "Make the tests of the queue pass, please."),
  () => said("user", "Always use pnpm, never npm."),
  () => said("assistant", "We decided to keep Redis for the queue."),
  () => used("Bash", { command: "make test" }, ["Error: no such table", true]),
  () => used("Bash", { command: "make test" }, ["12 passed", false]),
  () => used("Bash", { command: "make migrate" }, ["done", false]),
  () => used("Edit", { file_path: `${CWD}/src/a.ts` }, ["ok", false]),
  () => used("Edit", { file_path: `${CWD}/src/b.ts` }, ["ok", false]),
];

function transcript(): string {
  const path = join(mkdtempSync(join(tmpdir(), "cairn-read-")), "session.jsonl");
  writeFileSync(path, "");
  return path;
}

const lasting = (candidates: readonly Candidate[]) =>
  candidates.filter(({ kind }) => kind !== "files").map(({ content }) => content);

it("finds the same candidates incrementally as in a complete session", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...TURNS), { maxLength: 14 }), async (turns) => {
      const texts = turns.map((turn) => turn());
      const whole = transcript();
      writeFileSync(whole, texts.join(""));
      const atOnce = await readCandidates({ cwd: CWD, transcriptPath: whole }, undefined);
      const growing = transcript();
      const found: Candidate[] = [];
      let reading: Parameters<typeof readCandidates>[1];
      for (const text of texts) {
        appendFileSync(growing, text);
        const read = await readCandidates({ cwd: CWD, transcriptPath: growing }, reading);
        found.push(...read.candidates);
        reading = JSON.parse(JSON.stringify(read.reading));
      }
      expect(lasting(found).sort()).toEqual(lasting(atOnce.candidates).sort());
      const files = (candidates: readonly Candidate[]) =>
        candidates.findLast(({ kind }) => kind === "files")?.entities;
      expect(files(found)).toEqual(files(atOnce.candidates));
    }),
    { numRuns: 60 },
  );
});

it("reads nothing twice, and all of a rewritten file", async () => {
  const path = transcript();
  writeFileSync(path, said("user", "Always use pnpm, never npm, in all of these folders."));
  const first = await readCandidates({ cwd: CWD, transcriptPath: path }, undefined);
  expect(lasting(first.candidates)).toHaveLength(1);
  const again = await readCandidates({ cwd: CWD, transcriptPath: path }, first.reading);
  expect(again.candidates).toEqual([]);
  writeFileSync(path, said("user", "Always use pnpm."));
  const anew = await readCandidates({ cwd: CWD, transcriptPath: path }, again.reading);
  expect(lasting(anew.candidates)).toEqual(["Always use pnpm."]);
});
