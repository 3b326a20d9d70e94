// @module-tag long: a whole command in each case.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cairnInRepository } from "../support/cairn-in-repository.ts";

async function setUp() {
  const started = await cairnInRepository({ CAIRN_PERMISSION_MODE: "auto" });
  const read = () => readFileSync(join(started.place.project, "pay.ts"), "utf8");
  return { ...started, read };
}

it("works in a copy, shows it, takes it over in part, and throws it away", {
  tags: ["long"],
}, async () => {
  const { place, model, run, read } = await setUp();
  const content = "export const retries = 5;\n";
  model.script(
    {
      toolCalls: [
        { name: "write", args: { path: "pay.ts", content, overwrite: true } },
        { name: "shell", args: { command: "echo new > other.ts && pwd" } },
      ],
    },
    { text: "Done." },
  );
  const worked = await run("--copy", "try", "-p", "Try five times");
  expect([worked.code, worked.stdout.trim()]).toEqual([0, "Done."]);
  expect(worked.stderr).toContain("cairn copy merge try");
  expect(read()).toBe("export const retries = 3;\n");
  expect(existsSync(join(place.project, "other.ts"))).toBe(false);
  // The session and what it learned are of the project's memory.
  const told = JSON.stringify(model.requests[0]?.body.messages);
  expect(told).toContain("cairn-copies");

  const [made] = JSON.parse((await run("copy", "list", "--json")).stdout).copies;
  mkdirSync(join(made.path, ".vscode"));
  writeFileSync(join(made.path, ".vscode/tasks.json"), "{}\n");
  expect((await run("copy", "list")).stdout).toMatch(/^try {2}made .* 3 files changed/);
  const shown = await run("copy", "show", "try");
  expect(shown.stdout).toContain("-export const retries = 3;\n+export const retries = 5;");
  const json = JSON.parse((await run("copy", "show", "try", "--json")).stdout);
  expect(json.files.map(({ path }: { path: string }) => path)).toEqual([
    ".vscode/tasks.json",
    "other.ts",
    "pay.ts",
  ]);

  const unasked = await run("copy", "merge", "try");
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("--yes: is needed")]);
  expect(unasked.stderr).toMatch(/writes \.vscode\/tasks\.json {2}\(acted upon later/);
  expect(read()).toBe("export const retries = 3;\n");
  const merged = await run(
    "copy",
    "merge",
    "try",
    "--leave",
    "other.ts",
    "--leave",
    ".vscode",
    "-y",
  );
  expect([merged.code, merged.stdout]).toEqual([
    0,
    expect.stringContaining("Took over 1 file; nothing is committed. 2 left in the copy."),
  ]);
  expect(read()).toBe(content);
  expect(existsSync(join(place.project, "other.ts"))).toBe(false);

  expect((await run("copy", "discard", "try", "--yes")).code).toBe(0);
  expect((await run("copy", "list", "--json")).stdout).toBe('{"copies":[]}\n');
  expect((await run("copy", "show", "try")).code).toBe(1);
});

it("tells a conflict and changes nothing", async () => {
  const { place, model, run, read } = await setUp();
  const args = { path: "pay.ts", content: "export const retries = 5;\n", overwrite: true };
  model.script({ toolCalls: [{ name: "write", args }] }, { text: "Done." });
  await run("--copy", "-p", "Try five times");
  writeFileSync(join(place.project, "pay.ts"), "export const retries = 4;\n");
  const merged = await run("copy", "merge", "copy-1", "-y");
  expect([merged.code, merged.stderr]).toEqual([
    1,
    expect.stringContaining("pay.ts: the same lines were changed in both"),
  ]);
  expect(read()).toBe("export const retries = 4;\n");
});

it("goes on in the copy of before, and keeps its sessions there", async () => {
  const { place, model, run } = await setUp();
  model.script({ text: "One." }, { text: "Two." });
  await run("--copy", "try", "-p", "First");
  const again = await run("--copy", "try", "--continue", "-p", "Second");
  expect(again.stderr).toContain('goes on in the copy "try"');
  expect(again.stdout.trim()).toBe("Two.");
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("First");
  mkdirSync(join(place.project, "src"));
  const bad = await run("copy", "mrge", "try");
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('Did you mean "merge"')]);
  expect((await run("--copy", "../x", "-p", "Hello")).code).toBe(2);
  const words = await run("--copy", "upgrade the linter");
  expect([words.code, words.stderr]).toEqual([2, expect.stringContaining("Write the name first")]);
  expect((await run("copy", "list", "--only", "x")).code).toBe(2);
});
