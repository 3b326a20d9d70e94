import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const ENV = { CAIRN_LAYERS: "team,company" };

async function layered(): Promise<CliFolders> {
  const folders = createCliFolders();
  const keep = async (db: string, type: string, text: string) => {
    const args = ["remember", text, "-t", type, "--db", db];
    expect(await runInProcess(folders, args)).toMatchObject({ code: 0 });
  };
  await keep("shop", "decision", "Releases of the shop are on Mondays");
  await keep("team", "decision", "Releases of the shop are on Fridays");
  await keep("team", "preference", "Name two reviewers in every pull request");
  await keep("company", "fact", "The company signs its release tags");
  return folders;
}

async function runHook(
  cliFolders: CliFolders,
  event: string,
  input = {},
  db = "shop",
): Promise<string> {
  const args = ["hook", "claude-code", event, "--timeout", "60000", "--db", db];
  const stdin = JSON.stringify({ session_id: "s1", cwd: cliFolders.project, ...input });
  const result = await runInProcess(cliFolders, args, { stdin, env: ENV });
  expect(result).toMatchObject({ code: 0, stderr: "" });
  if (result.stdout === "") return "";
  return JSON.parse(result.stdout).hookSpecificOutput.additionalContext;
}

it("session start lists items of all layers, inner first, with their layer", async () => {
  const text = await runHook(await layered(), "session-start");
  expect(text).toMatch(/on Mondays” \(ep:1/);
  expect(text).toMatch(/From the layer team:\n- “Name two reviewers[^\n]*\(team\/ep:2/);
  expect(text).toMatch(/on Fridays” \(team\/ep:1,/);
  expect(text).toMatch(/From the layer company:\n- “The company signs[^\n]*\(company\/ep:1/);
  expect(text.indexOf("layer team")).toBeLessThan(text.indexOf("layer company"));
});

it("session start of an outer layer excludes inner layers", async () => {
  const text = await runHook(await layered(), "session-start", {}, "team");
  expect(text).not.toContain("Mondays");
  expect(text).toContain("From the layer company:");
});

it("a prompt gets items of all layers once", async () => {
  const folders = await layered();
  const prompt = { prompt: "When are releases of the shop, and who signs release tags?" };
  const text = await runHook(folders, "prompt", prompt);
  expect(text).toMatch(/on Mondays” \(ep:1/);
  expect(text).toMatch(/on Fridays” \(team\/ep:1,/);
  expect(text).toContain("company/ep:1");
  expect(await runHook(folders, "prompt", prompt)).toBe("");
});

it("items labelled as private to recall are not shown from outer layers either", async () => {
  const folders = await layered();
  await runInProcess(folders, ["label", "ep:1", "told=never", "--db", "team"]);
  await runInProcess(folders, ["label", "ep:2", "told=never", "--db", "team"]);
  const prompt = { prompt: "When are releases of the shop?" };
  expect(await runHook(folders, "session-start")).not.toContain("team/");
  expect(await runHook(folders, "prompt", prompt)).not.toContain("team/");
});

it("session start reports an unreadable layer and uses the others", async () => {
  const folders = await layered();
  writeFileSync(join(folders.dataDir, "team.db"), "no database ".repeat(1_000));
  const text = await runHook(folders, "session-start");
  expect(text).toContain('The layer "team" could not be read');
  expect(text).toContain("company/ep:1");
  expect(
    await runHook(folders, "prompt", { prompt: "Who signs release tags of the company?" }),
  ).toBe("");
});
