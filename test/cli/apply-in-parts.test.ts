import { describe, expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

const ENV = { CAIRN_MAX_CHANGESET_OPS: "4" };
const line = (number: number) =>
  `remember as=n${number} t=observation by=ada "Number ${number}."\n`;
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index)).join("");

async function stats(folders: ReturnType<typeof createCliFolders>) {
  return JSON.parse((await runInProcess(folders, ["stats", "--json"])).stdout);
}

describe("a changeset larger than one transaction", () => {
  it("is applied in parts with shared names and undone as one", async () => {
    const folders = createCliFolders();
    await runInProcess(folders, ["remember", "before"]);
    const stdin = `${lines(1, 10)}label id=$n1 key=seen value=yes\nconcept title="All" from=$n2,$n9 "x"\n`;
    const applied = await runInProcess(folders, ["apply", "--json"], { stdin, env: ENV });
    expect(applied.code).toBe(0);
    const output = JSON.parse(applied.stdout);
    expect(output).toMatchObject({
      ops: 12,
      parts: 3,
      counts: { remember: 10, label: 1, concept: 1 },
    });
    expect((await stats(folders)).episodes.total).toBe(11);
    const found = JSON.parse((await runInProcess(folders, ["show", "ep:2", "--json"])).stdout);
    expect(JSON.stringify(found)).toContain('"seen"');
    const undone = await runInProcess(folders, [
      "undo",
      "--since",
      "change:0",
      "--session",
      output.idempotency_key,
    ]);
    expect(undone.code, undone.stderr).toBe(0);
    expect((await stats(folders)).episodes.total).toBe(1);
    expect((await stats(folders)).concepts.total).toBe(0);
  });

  it("reports the invalid line, preserves earlier parts and resumes there once", async () => {
    const folders = createCliFolders();
    const wrong = `${lines(1, 9)}frob x=1\n${lines(11, 12)}`;
    const args = ["apply", "--idempotency-key", "july"];
    const stopped = await runInProcess(folders, args, { stdin: wrong, env: ENV });
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain("line 10: Unknown op");
    expect(stopped.stderr).toContain("The 8 ops before line 9 are applied");
    expect(stopped.stderr).toContain("--idempotency-key july");
    expect((await stats(folders)).episodes.total).toBe(8);
    for (let time = 0; time < 2; time += 1) {
      const again = await runInProcess(folders, args, { stdin: lines(1, 12), env: ENV });
      expect(again.code, again.stderr).toBe(0);
      expect((await stats(folders)).episodes.total).toBe(12);
    }
    const other = await runInProcess(folders, args, {
      stdin: `${line(99)}${lines(2, 12)}`,
      env: ENV,
    });
    expect(other.code).toBe(1);
    expect(other.stderr).toContain(
      "the input differs from line 1 on from what was applied as july",
    );
    expect((await stats(folders)).episodes.total).toBe(12);
  });

  it("is rejected with --atomic", async () => {
    const folders = createCliFolders();
    for (const option of ["--atomic", "--dry-run"]) {
      const refused = await runInProcess(folders, ["apply", option], {
        stdin: lines(1, 6),
        env: ENV,
      });
      expect(refused.code, option).toBe(1);
      expect(refused.stderr).toContain("changeset: has 6 ops and may have 4");
    }
    expect((await runInProcess(folders, ["list", "databases"])).stdout).toMatch(/^No database/);
  });

  it("accepts JSON", async () => {
    const folders = createCliFolders();
    const ops = Array.from({ length: 9 }, (_, index) => ({
      op: "remember",
      content: `n ${index}`,
    }));
    const stdin = JSON.stringify(ops, null, 2);
    const applied = await runInProcess(folders, ["apply"], { stdin, env: ENV });
    expect(applied.code, applied.stderr).toBe(0);
    expect(applied.stdout).toContain("Applied 9 ops in 3 parts");
    expect((await stats(folders)).episodes.total).toBe(9);
  });
});
