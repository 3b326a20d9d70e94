import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { defineOperation } from "../../../src/memory/index.ts";
import { isConnectionRefused } from "../../support/is-connection-refused.ts";
import { serveMemory } from "../../support/memory-server.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { httpClient, textOf } from "./mcp-client.ts";

it("a running tool call gets its result before shutdown", async () => {
  const begun = gate();
  const mayEnd = gate();
  const slow = defineOperation({
    name: "slow",
    summary: "Take as long as the test wants",
    kind: "read",
    input: z.strictObject({}),
    output: z.object({ done: z.boolean() }),
    async run() {
      begun.open();
      await mayEnd.passed;
      return { done: true };
    },
  });
  const server = await serveMemory({ furtherOperations: [slow] });
  onTestFinished(() => server.end());
  await server.store.open().execute("remember", { content: "so that there is a database" });
  const { client } = await httpClient(`${server.url}/mcp`);
  const answer = client.callTool({ name: "slow", arguments: {} });
  await begun.passed;
  const closed = server.close();
  await waitUntil(() => isConnectionRefused(server.url));
  mayEnd.open();
  expect(textOf(await answer)).toContain("true");
  await closed;
});

function gate() {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
