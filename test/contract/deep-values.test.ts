import { describe, expect, it } from "vitest";
import { mcpClient, textOf } from "../server/mcp/mcp-client.ts";
import { serveMemory } from "../support/memory-server.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

/** Deeper than the limit, and deep enough to overflow the stack of a recursive walk. */
const DEPTH = 6000;
const DEEP = `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`;

const CHANGESETS = [
  `[{"op":"remember","content":"x","metadata":${DEEP}}]`,
  `remember metadata='${DEEP}' "x"`,
];

describe("a JSON value that is nested thousands deep", () => {
  it("is a 400 over REST, as an object and as text, with a key and without", async () => {
    const server = await serveMemory();
    const post = async (path: string, body: string) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${server.url}/api/v1${path}`, {
        method: "POST",
        headers,
        body,
      });
      return { status: response.status, text: await response.text() };
    };
    for (const metadata of [DEEP, JSON.stringify(DEEP)]) {
      for (const key of ["", ',"idempotency_key":"k"']) {
        const answer = await post("/episodes", `{"content":"x","metadata":${metadata}${key}}`);
        expect(answer).toEqual({ status: 400, text: expect.stringContaining("nested deeper") });
      }
    }
    for (const changeset of CHANGESETS) {
      const answer = await post("/apply", JSON.stringify({ changeset }));
      expect(answer).toEqual({ status: 400, text: expect.stringContaining("nested deeper") });
    }
    expect(await server.store.open(undefined).execute("stats", {})).toMatchObject({ last_seq: 0 });
  });

  it("is refused by the tools", async () => {
    const { client, store } = await mcpClient();
    for (const metadata of [JSON.parse(DEEP) as object, DEEP]) {
      const answer = await client.callTool({
        name: "remember",
        arguments: { content: "x", metadata },
      });
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toContain("nested deeper");
    }
    expect(await store.open(undefined).isThere()).toBe(false);
  });

  it("is refused on the command line", async () => {
    const folders = createCliFolders();
    const lines = [
      { args: ["remember", "x", "--metadata", DEEP], stdin: "" },
      ...CHANGESETS.map((stdin) => ({ args: ["apply", "-"], stdin })),
    ];
    for (const { args, stdin } of lines) {
      const { code, stderr } = await runInProcess(folders, args, { stdin });
      expect(code).not.toBe(0);
      expect(stderr).toContain("nested deeper");
    }
  });
});
