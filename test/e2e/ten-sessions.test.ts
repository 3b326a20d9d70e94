// @module-tag long: ten client sessions with their processes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../src/index.ts";
import { listUserTexts } from "../agent/support/conversation.ts";
import { type Harness, startHarness } from "../agent/support/thread-harness.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";
import { findTextsContaining, SESSIONS } from "../support/teaching-sessions.ts";

async function hook(folders: CliFolders, event: string, input: object): Promise<string> {
  const stdin = JSON.stringify({ cwd: folders.project, ...input });
  const args = ["hook", "claude-code", event, "--timeout", "60000"];
  const { code, stdout, stderr } = await runInProcess(folders, args, { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

async function play(
  cliFolders: CliFolders,
  name: string,
  says: readonly string[],
): Promise<string> {
  const lines = [await hook(cliFolders, "session-start", { session_id: name })];
  for (const prompt of says)
    lines.push(await hook(cliFolders, "prompt", { session_id: name, prompt }));
  const path = join(cliFolders.home, `${name}.jsonl`);
  const records = says.map((content) =>
    JSON.stringify({ type: "user", message: { role: "user", content } }),
  );
  writeFileSync(path, records.join("\n"));
  await hook(cliFolders, "session-end", { session_id: name, transcript_path: path });
  return lines.join("\n");
}

async function talk(harness: Harness, threadId: string, says: readonly string[]): Promise<string> {
  const { host, model } = harness;
  await host.create({ threadId });
  for (const text of says) {
    model.script({ text: "Done." });
    await harness.say(text, threadId);
  }
  const last = model.requests.at(-1);
  const system = JSON.stringify(last?.body.messages[0]?.content ?? "").replaceAll("\\n", "\n");
  return [system, ...listUserTexts(last)].join("\n");
}

describe("ten sessions with three corrections and two reversals", () => {
  it("show later prompts no corrected statement as active", async () => {
    const folders = createCliFolders();
    for (const [index, { says, asks, holds, old }] of SESSIONS.entries()) {
      await play(folders, `s${index}`, says);
      const later = await play(folders, `ask${index}`, [asks]);
      expect(findTextsContaining(later).join("\n"), says[0]).toMatch(holds);
      if (old !== undefined)
        expect(findTextsContaining(later).filter((line) => old.test(line))).toEqual([]);
    }
  }, 180_000);

  it("show cairn's own agent none either", async () => {
    const path = join(createCliFolders().home, "memory.db");
    await using memory = openMemory({ path, embedding: { provider: "none" } });
    const harness = await startHarness({ memory, keepsSessions: true, keepsCorrections: true });
    for (const [index, { says, asks, holds, old }] of SESSIONS.entries()) {
      await talk(harness, `s${index}`, says);
      await harness.host.send(`s${index}`, "/clear");
      await harness.waitForPhase("success", 1, `s${index}`);
      const later = findTextsContaining(await talk(harness, `ask${index}`, [asks]));
      expect(later.join("\n"), says[0]).toMatch(holds);
      if (old !== undefined) expect(later.filter((line) => old.test(line))).toEqual([]);
    }
    await harness.close();
  }, 180_000);

  it("are undone one by one, each restoring the previous state", async () => {
    const folders = createCliFolders();
    const json = async (...args: string[]) => {
      const { code, stdout } = await runInProcess(folders, [...args, "--json"]);
      expect(code).toBe(0);
      return JSON.parse(stdout);
    };
    const held = async () => [await json("list", "episodes"), await json("list", "conflicts")];
    await play(folders, "first", ["Remember that the office is in Porto."]);
    const before: { readonly change: string; readonly state: unknown }[] = [];
    for (const [index, { says }] of SESSIONS.entries()) {
      const [newest] = (await json("log", "--limit", "1")).changes;
      before.push({ change: newest.id, state: await held() });
      await play(folders, `s${index}`, says);
    }
    for (const { change, state } of before.toReversed()) {
      expect(await runInProcess(folders, ["undo", "--since", change])).toMatchObject({ code: 0 });
      expect(await held()).toEqual(state);
    }
  }, 180_000);

  it("undoes a correction as one change, which reactivates the previous statement", async () => {
    const folders = createCliFolders();
    const json = async (...args: string[]) => {
      const { code, stdout } = await runInProcess(folders, [...args, "--json"]);
      expect(code).toBe(0);
      return JSON.parse(stdout);
    };
    await play(folders, "s0", ["From now on use npm to install packages."]);
    const before = await json("list", "episodes");
    await play(folders, "s1", ["From now on use pnpm to install packages, not npm."]);
    const messages = findTextsContaining(
      await play(folders, "ask", ["Install the packages for the parser"]),
    );
    expect(messages.join("\n")).toContain("use pnpm to install packages");
    const { changes } = await json("log");
    const learned = ({ operation }: { operation: string }) => operation === "keep_learned";
    const { id } = changes.find(learned);
    expect(await runInProcess(folders, ["undo", id])).toMatchObject({ code: 0 });
    expect(await json("list", "episodes")).toEqual(before);
    const again = findTextsContaining(
      await play(folders, "ask2", ["Install the packages for the parser"]),
    );
    expect(again.join("\n")).toContain("use npm to install packages");
    expect(again.join("\n")).not.toContain("replaced");
  }, 180_000);
});
