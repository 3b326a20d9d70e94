import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

async function hook(folders: CliFolders, event: string, said: object) {
  const stdin = JSON.stringify({ cwd: folders.project, ...said });
  const { stdout } = await runInProcess(folders, ["hook", "claude-code", event], { stdin });
  return stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput;
}

const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });

function refusedSession(folders: CliFolders, command: string, words: string): string {
  const path = join(folders.project, "refused.jsonl");
  const refusal =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file " +
    "edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n";
  const records = [
    { type: "user", message: { role: "user", content: "Add the library" } },
    {
      type: "assistant",
      message: {
        role: "assistant",
        content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command } }],
      },
    },
    {
      type: "user",
      message: {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: `${refusal}${words}`, is_error: true },
        ],
      },
    },
  ];
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join("\n"));
  return path;
}

it("Claude Code is warned once about a previously rejected command, and it is counted", async () => {
  const folders = createCliFolders();
  const words = "we have pnpm here, never npm";
  const transcript_path = refusedSession(folders, "npm install react", words);
  await hook(folders, "session-end", { session_id: "first", transcript_path });

  const output = await hook(folders, "tool", {
    session_id: "second",
    ...bash("npm install lodash"),
  });
  expect(output).toMatchObject({ hookEventName: "PreToolUse", permissionDecision: "deny" });
  expect(output.permissionDecisionReason).toContain(words);
  const other = await hook(folders, "tool", { session_id: "second", ...bash("pnpm add lodash") });
  expect(other?.permissionDecision).toBeUndefined();

  // A third session repeats the command: it is denied once, then allowed.
  const insists = { session_id: "third", ...bash("npm install lodash") };
  expect(await hook(folders, "tool", insists)).toMatchObject({ permissionDecision: "deny" });
  expect((await hook(folders, "tool", insists))?.permissionDecision).toBeUndefined();
  expect((await hook(folders, "tool", insists))?.permissionDecision).toBeUndefined();

  await hook(folders, "session-end", { session_id: "third" });
  const { stdout } = await runInProcess(folders, ["list", "mistakes", "--json"]);
  expect(JSON.parse(stdout).mistakes).toMatchObject([
    {
      ...{ how: "refused", command: "npm install react", wanted: words, asserted_by: "user" },
      ...{ avoided: ["claude-code:second"], repeated: ["claude-code:third"] },
    },
  ]);
  const stats = await runInProcess(folders, ["stats", "--json"]);
  expect(JSON.parse(stats.stdout).mistakes).toEqual({ kept: 1, avoided: 1, repeated: 1 });
});
