import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sample } from "../ingest/importers/import-sample.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

describe("cairn import", () => {
  it("reports imported, existing and skipped records", async () => {
    const folders = createCliFolders();
    const first = await runInProcess(folders, ["import", sample("mem0.json")]);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain("2 new, 1 skipped");
    expect(first.stderr).toContain("skipped results[2]");
    const second = await runInProcess(folders, ["import", sample("mem0.json")]);
    expect(second.stdout).toContain("0 new, 2 already there, 1 skipped");
  });

  it("prints JSON", async () => {
    const folders = createCliFolders();
    const { stdout } = await runInProcess(folders, ["import", sample("vault"), "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ source: "markdown", added: 7, skipped: 0 });
  });

  it("prints a changeset for `apply` without writing", async () => {
    const folders = createCliFolders();
    const dry = await runInProcess(folders, ["import", sample("server-memory.jsonl"), "--dry-run"]);
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stderr).toContain("Would import");
    expect((await runInProcess(folders, ["list", "databases", "--json"])).stdout).not.toContain(
      "modified",
    );
    const applied = await runInProcess(folders, ["apply", "-"], { stdin: dry.stdout });
    expect(applied).toMatchObject({ code: 0 });
    const again = await runInProcess(folders, ["import", sample("server-memory.jsonl")]);
    expect(again.stdout).toContain("0 new");
  });

  it("writes the changeset to a file, once", async () => {
    const folders = createCliFolders();
    const args = ["import", sample("CLAUDE.md"), "--to-changeset", "out.changeset"];
    expect(await runInProcess(folders, args)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folders.project, "out.changeset"), "utf8")).toContain("never mock");
    expect(await runInProcess(folders, args)).toMatchObject({ code: 2 });
  });

  it("reads standard input", async () => {
    const folders = createCliFolders();
    const stdin = readFileSync(sample("chatgpt-pasted.txt"), "utf8");
    const { stdout } = await runInProcess(folders, ["import", "--from", "chatgpt"], { stdin });
    expect(stdout).toContain("2 new");
  });

  it("lists known formats if detection fails", async () => {
    const folders = createCliFolders();
    const { code, stderr } = await runInProcess(folders, ["import"], { stdin: "what is this" });
    expect(code).not.toBe(0);
    expect(stderr).toContain("--from server-memory|remind");
  });

  it("suggests a source name", async () => {
    const folders = createCliFolders();
    const { stderr } = await runInProcess(folders, [
      "import",
      "--from",
      "remin",
      sample("mem0.json"),
    ]);
    expect(stderr).toContain('Did you mean "remind"?');
  });
});
