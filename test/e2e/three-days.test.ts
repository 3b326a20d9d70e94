import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

interface Said {
  readonly by: "user" | "assistant";
  readonly text: string;
}

function claudeSession(
  folders: CliFolders,
  id: string,
  day: string,
  turns: readonly Said[],
): string {
  const path = join(folders.home, `${id}.jsonl`);
  const records = turns.map(({ by, text }, index) => ({
    uuid: `${id}-${index}`,
    sessionId: id,
    cwd: folders.project,
    type: by,
    timestamp: `${day}T09:${String(index).padStart(2, "0")}:00.000Z`,
    message: { role: by, content: text },
  }));
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return path;
}

function codexSession(
  cliFolders: CliFolders,
  id: string,
  day: string,
  turns: readonly Said[],
): string {
  const path = join(cliFolders.home, `${id}.jsonl`);
  const records = [
    {
      timestamp: `${day}T09:00:00.000Z`,
      type: "session_meta",
      payload: { id, cwd: cliFolders.project },
    },
    ...turns.map(({ by, text }, index) => ({
      timestamp: `${day}T09:${String(index).padStart(2, "0")}:00.000Z`,
      type: "response_item",
      payload: { type: "message", role: by, content: [{ type: "text", text }] },
    })),
  ];
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return path;
}

interface Called {
  readonly client: string;
  readonly event: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function hookOf(
  folders: CliFolders,
  { client, event, env = {} }: Called,
  input: object,
): Promise<string> {
  const stdin = JSON.stringify({ cwd: folders.project, ...input });
  const args = ["hook", client, event, "--timeout", "60000"];
  const result = await runInProcess(folders, args, { stdin, env });
  expect(result).toMatchObject({ code: 0, stderr: "" });
  return result.stdout;
}

function hook(cliFolders: CliFolders, client: string, event: string, input: object) {
  return hookOf(cliFolders, { client, event }, input);
}

const DECIDED: readonly Said[] = [
  {
    by: "user",
    text: "The contact list grows duplicates after every sync: one address, two spellings.",
  },
  {
    by: "assistant",
    text: "Then two records are one contact when their lowercased addresses are equal. Shall the newer one win?",
  },
  { by: "user", text: "Yes, the newer one wins." },
  {
    by: "assistant",
    text: "Settled: contacts are keyed by the lowercased address, and the newer record wins on a collision.",
  },
];

const AMENDED: readonly Said[] = [
  {
    by: "user",
    text: "About the contacts: the nightly job sends records with an address and little else, and they wipe names.",
  },
  {
    by: "assistant",
    text: "So the newest is the wrong choice. The record with more filled fields should win.",
  },
  { by: "user", text: "Exactly, and on a tie keep ours, the side of the CRM." },
  {
    by: "assistant",
    text: "Amended, instead of the newer one: contacts stay keyed by the lowercased address, the record with more filled fields wins, and on a tie the CRM's record is kept.",
  },
];

const OTHER: readonly Said[] = [
  { by: "user", text: "Please make the build of the documentation faster, it takes four minutes." },
  {
    by: "assistant",
    text: "The diagrams were drawn anew each time; they are kept between builds now and it takes forty seconds.",
  },
];

it("shows a third client the amended rule, with its source", async () => {
  const folders = createCliFolders();
  const first = claudeSession(folders, "monday", "2026-03-02", DECIDED);
  await hook(folders, "claude-code", "session-end", {
    session_id: "monday",
    transcript_path: first,
  });
  const other = codexSession(folders, "tuesday", "2026-03-03", OTHER);
  await hook(folders, "codex", "stop", { session_id: "tuesday", transcript_path: other });
  const later = codexSession(folders, "wednesday", "2026-03-04", AMENDED);
  await hook(folders, "codex", "stop", { session_id: "wednesday", transcript_path: later });

  const prompt =
    "After a sync the same contact stands twice in the merged list, or has lost its name. Fix the merging of duplicate contacts.";
  const output = await hook(folders, "gemini", "prompt", { session_id: "friday", prompt });

  expect(output).toContain("more filled fields wins");
  const amended = output.indexOf("more filled fields wins");
  const former = output.indexOf("the newer record wins");
  expect(former < 0 || former > amended).toBe(true);
  expect(output.slice(former)).toMatch(/replaced by passage:\d+/);
  expect(output).not.toContain("diagrams");

  const [, id = ""] = /\((passage:\d+), assistant, 2026-03-04/.exec(output) ?? [];
  const result = await runInProcess(folders, ["show", id]);
  expect(result.stdout).toContain("on a tie the CRM's record is kept");
  const [, source = ""] = /(source:\d+)/.exec(result.stdout) ?? [];
  const whole = await runInProcess(folders, ["show", source]);
  expect(whole.stdout).toContain("on a tie keep ours");
  expect(whole.stdout).toContain("wednesday");
});

it("shows nothing twice in a session, but later additions", async () => {
  const folders = createCliFolders();
  const path = claudeSession(folders, "monday", "2026-03-02", DECIDED);
  await hook(folders, "claude-code", "session-end", {
    session_id: "monday",
    transcript_path: path,
  });
  const response = {
    session_id: "friday",
    prompt: "Which of two duplicate contacts wins in the sync?",
  };
  expect(await hook(folders, "claude-code", "prompt", response)).toContain("newer record wins");
  expect(await hook(folders, "claude-code", "prompt", response)).toBe("");
});

it("stores no session if the project disables it", async () => {
  const folders = createCliFolders();
  const path = claudeSession(folders, "monday", "2026-03-02", DECIDED);
  const quiet = {
    client: "claude-code",
    event: "session-end",
    env: { CAIRN_SOURCES_OFF: "sessions" },
  };
  await hookOf(folders, quiet, { session_id: "monday", transcript_path: path });
  const listed = await runInProcess(folders, ["list", "sources", "--json"]);
  expect(listed.stdout).not.toContain("monday");
});
