import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/shared/package.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const EXAMPLE = join(packageRoot(), "examples", "first-memory.changeset");

async function createFilledMemory(): Promise<CliFolders> {
  const folders = createCliFolders();
  expect((await runInProcess(folders, ["apply", EXAMPLE])).code).toBe(0);
  return folders;
}

it("exports Markdown pages: index, facts with history, concepts, episodes by month", async () => {
  const folders = await createFilledMemory();
  const written = await runInProcess(folders, ["export", "--format", "markdown", "notes"]);
  expect(written).toMatchObject({ code: 0, stdout: "Wrote 9 files to notes.\n" });
  const notes = join(folders.project, "notes");
  const index = readFileSync(join(notes, "README.md"), "utf8");
  expect(index).toContain("conflict:1:");
  const targets = [...index.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, path = ""]) => path);
  const files = readdirSync(notes, { recursive: true }).map(String);
  expect(targets.filter((path) => !files.includes(path))).toEqual([]);
  const facts = readFileSync(join(notes, "facts.md"), "utf8");
  expect(facts).toContain("- Background jobs of orders run on a Postgres table");
  expect(facts).toMatch(/- ~~Background jobs of orders run on Redis lists\.~~ .*until/);
  expect(readFileSync(join(notes, "episodes", "2026-02.md"), "utf8")).toContain("Node.js 20");

  const again = await runInProcess(folders, ["export", "--format", "markdown", "notes"]);
  expect(again).toMatchObject({ code: 1, stdout: "" });
  expect(again.stderr).toContain("--force");
  const one = await runInProcess(folders, ["export", "--format", "markdown", "all.md"]);
  expect(one.stdout).toBe("Wrote 1 file to all.md.\n");
  expect(readFileSync(join(folders.project, "all.md"), "utf8")).toContain("# Facts");
});

it("updates a section of CLAUDE.md and preserves every other line", async () => {
  const folders = await createFilledMemory();
  const file = join(folders.project, "CLAUDE.md");
  writeFileSync(file, "# Orders\n\n- Use pnpm.\n");
  const write = () => runInProcess(folders, ["export", "--format", "claude-md", "CLAUDE.md"]);
  expect((await write()).stdout).toBe("Wrote the section to CLAUDE.md.\n");
  const first = readFileSync(file, "utf8");
  expect(first).toMatch(/^# Orders\n\n- Use pnpm\.\n\n<!-- cairn:begin/);
  expect(first).toContain("Ada wants small commits");
  expect(first.split("### Open conflicts")[0]).not.toContain("30 seconds");
  expect(first.split("### Open conflicts")[1]).toContain("30 seconds");

  writeFileSync(file, `${first}\n## After\n`);
  await runInProcess(folders, ["remember", "No <!-- cairn:end --> here", "-t", "preference"]);
  await write();
  const second = readFileSync(file, "utf8");
  expect(second.match(/^<!-- cairn:(begin|end)/gm)).toHaveLength(2);
  expect(second).toContain("No &lt;!-- cairn:end");
  expect(second).toMatch(/<!-- cairn:end -->\n\n## After\n$/);

  // The generated section is not imported again; the other text is.
  const imported = await runInProcess(folders, ["import", file, "--json"]);
  expect(JSON.parse(imported.stdout)).toMatchObject({ added: 1 });
});

it("reports an invalid format, marker or number without writing", async () => {
  const folders = await createFilledMemory();
  const file = join(folders.project, "AGENTS.md");
  writeFileSync(file, "<!-- cairn:end -->\n");
  for (const [args, said] of [
    [["--format", "markdwn"], 'Did you mean "markdown"?'],
    [["--format", "claude-md", file], "only one of the lines"],
    [["--format", "claude-md", "-n", "0"], "--limit"],
  ] as const) {
    const { code, stdout, stderr } = await runInProcess(folders, ["export", ...args]);
    expect([code === 0, stdout]).toEqual([false, ""]);
    expect(stderr).toContain(said);
  }
  expect(readFileSync(file, "utf8")).toBe("<!-- cairn:end -->\n");
});

it("applies list filters, but never to a backup", async () => {
  const folders = await createFilledMemory();
  const args = ["--type", "decision,preference", "--not-label", "area=none"];
  const one = ["export", "--format", "markdown", "-", "--since", "2026-01-01", ...args];
  const written = await runInProcess(folders, one);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  const listed = await runInProcess(folders, [
    "list",
    "items",
    ...args,
    "--since",
    "2026-01-01",
    "--json",
  ]);
  const { items } = JSON.parse(listed.stdout) as { items: { id: string }[] };
  const shown = [...written.stdout.matchAll(/\b(ep:\d+)/g)].map(([, id]) => id);
  expect(items.length).toBeGreaterThan(0);
  expect([...new Set(shown)].sort()).toEqual(items.map(({ id }) => id).sort());
  const section = ["export", "--format", "claude-md", "-", "--type", "decision"];
  expect((await runInProcess(folders, section)).stdout).not.toContain("### Preferences");
  const backup = await runInProcess(folders, ["export", "-", "--label", "a=b"]);
  expect(backup).toMatchObject({ code: 2, stdout: "" });
  expect(backup.stderr).toContain("which always contains everything");
});

it("names the given path if its folder is missing", async () => {
  const { code, stderr } = await runInProcess(await createFilledMemory(), [
    "export",
    "missing/out.jsonl",
  ]);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/file: cannot write missing\/out\.jsonl: [^/]+$/);
});
