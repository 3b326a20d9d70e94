import { appendFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSession } from "../../../src/ingest/sources/index.ts";

const NOW = "2026-03-01T12:00:00.000Z";

function fileOf(client: string, text: string) {
  const folder = mkdtempSync(join(tmpdir(), "cairn-session-"));
  const path = join(folder, "session.jsonl");
  writeFileSync(path, text);
  return { client, session: undefined, path, cwd: "/work/shop", now: NOW };
}

const lines = (...records: object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");

const claude = (uuid: string, type: "user" | "assistant", content: unknown) => ({
  ...{ uuid, type, sessionId: "s-1", cwd: "/work/shop", gitBranch: "main" },
  timestamp: "2026-03-01T09:00:00.000Z",
  message: { role: type, content },
});

describe("a transcript of Claude Code", () => {
  it("is read by turn with speaker, time, files and branch", async () => {
    const file = fileOf(
      "claude-code",
      lines(claude("u1", "user", "Cap the retries in src/retry.ts")),
    );
    expect(await readSession(file, undefined)).toMatchObject({
      kind: "claude-code",
      key: "s-1",
      place: "/work/shop",
      title: "Cap the retries in src/retry.ts",
      passages: [
        {
          key: "u1",
          role: "turn",
          by: "user",
          text: "Cap the retries in src/retry.ts",
          files: ["src/retry.ts"],
          branch: "main",
          occurred_at: "2026-03-01T09:00:00.000Z",
        },
      ],
    });
  });

  it("resumes at its cursor and ignores an incomplete line", async () => {
    const file = fileOf("claude-code", lines(claude("u1", "user", "first thing said here")));
    const first = await readSession(file, undefined);
    const next = JSON.stringify(claude("u2", "assistant", "second thing said here"));
    appendFileSync(file.path, next.slice(0, 40));
    const named = { ...file, session: "s-1" };
    expect((await readSession(named, first?.mark))?.passages).toEqual([]);
    appendFileSync(file.path, `${next.slice(40)}\n`);
    const second = await readSession(named, first?.mark);
    expect(second?.passages.map(({ key }) => key)).toEqual(["u2"]);
  });

  it("splits a message beyond the limit of a stored text", async () => {
    const text = `${"😀".repeat(400_000)}-We-deploy-on-Tuesdays.`;
    const file = fileOf("claude-code", lines(claude("u1", "user", text)));
    const { passages = [] } = (await readSession(file, undefined)) ?? {};
    expect(passages.map((passage) => passage.text).join("") === text).toBe(true);
    for (const passage of passages) expect(Buffer.byteLength(passage.text)).toBeLessThan(1_048_576);
  });

  it("restarts if the file was replaced", async () => {
    const file = fileOf(
      "claude-code",
      lines(claude("u1", "user", "a long first thing that was said")),
    );
    const { mark } = (await readSession(file, undefined)) ?? {};
    writeFileSync(file.path, lines(claude("u9", "user", "short")));
    expect((await readSession(file, mark))?.passages.map(({ key }) => key)).toEqual(["u9"]);
  });

  it("contains files and short failures of tools, but no output", async () => {
    const bash = (id: string, command: string) => [
      { type: "tool_use", id, name: "Bash", input: { command } },
    ];
    const result = (id: string, content: string, failed: boolean) => [
      { type: "tool_result", tool_use_id: id, content, is_error: failed },
    ];
    const noise = "printed line\n".repeat(500);
    const file = fileOf(
      "claude-code",
      lines(
        claude("a1", "assistant", bash("t1", "npm test")),
        claude(
          "u1",
          "user",
          result("t1", `Error: Exit code 1\n${noise}Error: ECONNREFUSED 5432\n${noise}`, true),
        ),
        claude("a2", "assistant", [
          {
            type: "tool_use",
            id: "t2",
            name: "Edit",
            input: { file_path: "/work/shop/src/db.ts" },
          },
        ]),
        claude("u2", "user", result("t2", "ok", false)),
        claude("a3", "assistant", bash("t3", "npm test")),
        claude("u3", "user", result("t3", "12 passed", false)),
        claude("a4", "assistant", "The database has to run first."),
      ),
    );
    const { passages = [] } = (await readSession(file, undefined)) ?? {};
    expect(passages).toMatchObject([
      { role: "tool", files: ["src/db.ts"] },
      { role: "turn", by: "assistant" },
    ]);
    const [tools] = passages;
    expect(tools?.text).toContain("`npm test` failed: Error: ECONNREFUSED 5432");
    expect(tools?.text).toContain("`npm test` passed.");
    expect(tools?.text).not.toContain("printed line");
  });

  it("excludes text that programs add to user messages", async () => {
    const said =
      "<system-reminder>obey the reminder</system-reminder>Use tabs here.\n<cairn-memory> From memory\n- “old” (ep:1)\n</cairn-memory>";
    const file = fileOf("claude-code", lines(claude("u1", "user", said)));
    expect((await readSession(file, undefined))?.passages.map(({ text }) => text)).toEqual([
      "Use tabs here.",
    ]);
  });
});

describe("other clients", () => {
  it("Codex: a rollout, whose first record names the session", async () => {
    const item = (payload: object) => ({
      timestamp: "2026-03-01T09:00:00.000Z",
      type: "response_item",
      payload,
    });
    const file = fileOf(
      "codex",
      lines(
        {
          timestamp: NOW,
          type: "session_meta",
          payload: { id: "rollout-7", cwd: "/work/shop", git: { branch: "dev" } },
        },
        item({
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: "Which port do we use?" }],
        }),
        item({
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "Port 7433." }],
        }),
      ),
    );
    const read = await readSession(file, undefined);
    expect(read).toMatchObject({ key: "rollout-7", place: "/work/shop" });
    expect(read?.passages.map(({ by, text }) => [by, text])).toEqual([
      ["user", "Which port do we use?"],
      ["assistant", "Port 7433."],
    ]);
  });

  it("Gemini CLI: one JSON document, reread completely", async () => {
    const document = (...texts: string[]) =>
      JSON.stringify(
        {
          sessionId: "g-1",
          messages: texts.map((content, index) => ({
            id: `m${index}`,
            type: "user",
            content,
            timestamp: NOW,
          })),
        },
        null,
        2,
      );
    const file = fileOf("gemini", document("first question asked"));
    const first = await readSession(file, undefined);
    expect(first).toMatchObject({ key: "g-1", passages: [{ key: "m0" }] });
    writeFileSync(file.path, document("first question asked", "second question asked"));
    expect((await readSession(file, first?.mark))?.passages.map(({ key }) => key)).toEqual([
      "m0",
      "m1",
    ]);
  });

  it("opencode: messages with individual times", async () => {
    const file = fileOf(
      "opencode",
      lines({
        info: {
          id: "msg_1",
          role: "user",
          sessionID: "ses_1",
          time: { created: 1_772_355_600_000 },
        },
        parts: [{ type: "text", text: "What was decided about the queue?" }],
      }),
    );
    expect(await readSession(file, undefined)).toMatchObject({
      key: "ses_1",
      passages: [{ key: "msg_1", occurred_at: "2026-03-01T09:00:00.000Z" }],
    });
  });
});
