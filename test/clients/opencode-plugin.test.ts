import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { opencodePlugin, startByLine } from "../../src/clients/opencode.ts";
import { createCliFolders } from "../support/run-cli.ts";

interface Part {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  readonly synthetic?: boolean;
}

interface Plugin {
  "chat.message"(
    given: { readonly sessionID: string },
    output: { readonly message: { readonly sessionID: string }; readonly parts: Part[] },
  ): Promise<void>;
  "tool.execute.after"(
    given: { readonly tool: string; readonly sessionID: string; readonly args: object },
    output: { output: string },
  ): Promise<void>;
  "experimental.session.compacting"(given: { readonly sessionID: string }): Promise<void>;
  event(given: { readonly event: object }): Promise<void>;
}

/** Fake cairn: logs its arguments and prints the event. `fails` exits with an error. */
const PROGRAM = `
const { appendFileSync, readFileSync } = require("node:fs");
const [noted, event] = process.argv.slice(2);
const input = JSON.parse(readFileSync(0, "utf8"));
const transcript = input.transcript_path && JSON.parse(readFileSync(input.transcript_path, "utf8"));
appendFileSync(noted, JSON.stringify({ event, ...input, transcript }) + "\\n");
if (input.prompt === "fails") process.exit(3);
if (!transcript) console.log("shown at " + event);
`;

async function startPlugin() {
  const folders = createCliFolders();
  const program = join(folders.home, "program.cjs");
  const noted = join(folders.home, "noted.jsonl");
  writeFileSync(program, PROGRAM);
  writeFileSync(noted, "");
  const line = (event: string) => `"${process.execPath}" "${program}" "${noted}" ${event}`;
  const file = join(folders.home, "plugins", "cairn.mjs");
  mkdirSync(join(file, ".."));
  writeFileSync(file, opencodePlugin(startByLine(line)));
  const { CairnMemory } = await import(pathToFileURL(file).href);
  const messages = async ({ path }: { readonly path: { readonly id: string } }) => ({
    data: [{ info: { role: "user" }, parts: [{ type: "text", text: `said in ${path.id}` }] }],
  });
  const directory = folders.project;
  const plugin: Plugin = await CairnMemory({ client: { session: { messages } }, directory });
  return {
    plugin,
    async say(sessionID: string, text: string) {
      const parts: Part[] = [{ id: "prt_1", type: "text", text }];
      await plugin["chat.message"]({ sessionID }, { message: { sessionID }, parts });
      return parts.slice(1);
    },
    noted: () =>
      readFileSync(noted, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((text) => JSON.parse(text) as Record<string, unknown>),
  };
}

it("adds memory to the user's message, and session start once until compaction", async () => {
  const { plugin, say, noted } = await startPlugin();
  const [shown] = await say("s1", "hello");
  expect(shown).toMatchObject({
    id: "prt_1z",
    synthetic: true,
    text: "shown at session-start\n\nshown at prompt",
  });
  expect(await say("s1", "more")).toMatchObject([{ text: "shown at prompt" }]);
  await plugin["experimental.session.compacting"]({ sessionID: "s1" });
  expect((await say("s1", "again"))[0]?.text).toContain("shown at session-start");
  expect(noted().map(({ event }) => event)).toEqual([
    "session-start",
    "prompt",
    "prompt",
    "compact",
    "session-start",
    "prompt",
  ]);
  expect(noted()[1]).toMatchObject({ session_id: "s1", prompt: "hello" });
});

it("captures messages when the session is idle, without subagents", async () => {
  const { plugin, say, noted } = await startPlugin();
  const info = { id: "child", parentID: "s1" };
  await plugin.event({ event: { type: "session.created", properties: { info } } });
  expect(await say("child", "look")).toEqual([]);
  for (const sessionID of ["child", "s1"]) {
    await plugin.event({ event: { type: "session.idle", properties: { sessionID } } });
  }
  expect(noted()).toEqual([
    expect.objectContaining({
      event: "stop",
      session_id: "s1",
      transcript: { messages: [expect.objectContaining({ info: { role: "user" } })] },
    }),
  ]);
});

it("never fails the session", async () => {
  const { say } = await startPlugin();
  expect(await say("s1", "fails")).toMatchObject([{ text: "shown at session-start" }]);
});

it("appends notes to the output of matching calls only", async () => {
  const { plugin, noted } = await startPlugin();
  const call = async (tool: string, args: object) => {
    const output = { output: "text" };
    await plugin["tool.execute.after"]({ tool, sessionID: "s1", args }, output);
    return output.output;
  };
  expect(await call("read", { filePath: "a.ts" })).toBe("text\n\nshown at tool");
  expect(await call("webfetch", { url: "https://example.org" })).toBe("text");
  expect(noted()).toMatchObject([
    { event: "tool", session_id: "s1", tool_name: "read", tool_input: { filePath: "a.ts" } },
  ]);
});
