import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { builtCli } from "../../support/built-cli.ts";
import { cairnPlace } from "../../support/cairn-process.ts";
import { memoryServer } from "../../support/memory-server.ts";
import { textOf } from "./mcp-client.ts";

/** An SDK client whose user gives this answer; `asked` contains the prompts. */
async function clientOf(transport: Transport, answer: ElicitResult | Error | undefined) {
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  const asked: string[] = [];
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      if (answer instanceof Error) throw answer;
      return answer;
    });
  }
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, input: object) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    return { text: textOf(result), isError: result.isError === true };
  };
  return { asked, call };
}

async function team(layers: readonly string[] = []) {
  const server = await memoryServer({ layers });
  onTestFinished(() => server.end());
  const tokens = new PeopleTokens(server.store.tokens);
  const { token } = await tokens.create("ada", "decide");
  await tokens.create("bruno", "write");
  const memory = server.store.open();
  const asks = (answer: ElicitResult | Error | undefined) => {
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const url = new URL(`${server.url}/mcp`);
    return clientOf(new StreamableHTTPClientTransport(url, { requestInit }) as Transport, answer);
  };
  const asBruno = { caller: { name: "bruno", scope: "write" } } as const;
  const bruno = (content: string, episode_type = "observation") =>
    memory.execute("remember", { content, episode_type, entities: "project:shop" }, asBruno);
  const contents = async () => {
    const { episodes } = await memory.execute("list_episodes", {});
    return episodes.map(({ content }) => content).sort();
  };
  return { server, memory, asks, bruno, contents };
}

const YES: ElicitResult = { action: "accept", content: {} };
const NO: ElicitResult = { action: "decline" };
const chosen = (choice: string): ElicitResult => ({ action: "accept", content: { choice } });

describe("before an agent undoes another author's change", () => {
  it.each([
    ["accept", YES, true],
    ["decline", NO, false],
    ["cancel", { action: "cancel" } as ElicitResult, false],
    ["fail to answer", new Error("no window"), false],
  ])("the user is asked and may %s", async (_name, answer, isUndone) => {
    const { bruno, asks, contents } = await team();
    await bruno("We deploy on Fridays");
    const { call, asked } = await asks(answer);
    const result = await call("undo", { change: "change:1" });
    expect(asked).toEqual([expect.stringContaining("change:1 by bruno: “We deploy on Fridays”")]);
    expect(await contents()).toEqual(isUndone ? [] : ["We deploy on Fridays"]);
    expect(result.isError).toBe(!isUndone);
    if (!isUndone) expect(result.text).toMatch(/asked and (said no|gave no answer): nothing/);
  });

  it("the user is not asked for own changes, dry runs, or without client support", async () => {
    const { bruno, asks, contents } = await team();
    await bruno("Of Bruno");
    const { call, asked } = await asks(NO);
    await call("remember", { content: "My own" });
    expect((await call("undo", { change: "change:1", dry_run: true })).isError).toBe(false);
    expect((await call("undo", { change: "change:2" })).isError).toBe(false);
    expect([asked, await contents()]).toEqual([[], ["Of Bruno"]]);
    const plain = await asks(undefined);
    expect((await plain.call("undo", { change: "change:1" })).isError).toBe(false);
    expect(await contents()).toEqual([]);
  });
});

describe("before storing a near-duplicate fact", () => {
  const FACT = { content: "We deploy on Tuesdays", episode_type: "fact", entities: "project:shop" };

  it.each([
    ["replace", chosen("replace"), [1, 0, 2]],
    ["both", chosen("both"), [2, 0, 2]],
    ["conflict", chosen("conflict"), [2, 1, 2]],
    ["nothing", NO, [1, 0, 1]],
    ["what was not offered", chosen("all"), [1, 0, 1]],
  ])("the user chooses: %s", async (_name, answer, expected) => {
    const { bruno, asks, memory } = await team();
    await bruno("We deploy on Fridays", "fact");
    const { call, asked } = await asks(answer);
    const result = await call("remember", FACT);
    expect(asked).toEqual([expect.stringMatching(/fact:1: “We deploy on Fridays”.*Tuesdays/)]);
    const { facts } = await memory.execute("entity_facts", { entity_id: "project:shop" });
    const holding = facts.filter(({ status }) => status === "active");
    const { conflicts } = await memory.execute("list_conflicts", {});
    const { episodes } = await memory.execute("list_episodes", {});
    expect([holding.length, conflicts.length, episodes.length]).toEqual(expected);
    expect(result.isError).toBe(expected[2] === 1);
    if (!result.isError) expect(result.text).toContain("ep:2");
  });

  it("the user is not asked about different facts, or without client support", async () => {
    const { bruno, asks, contents } = await team();
    await bruno("We deploy on Fridays", "fact");
    const { call, asked } = await asks(NO);
    const other = { ...FACT, content: "Its tests are run by Node.js itself" };
    expect((await call("remember", other)).isError).toBe(false);
    const plain = await asks(undefined);
    expect((await plain.call("remember", FACT)).isError).toBe(false);
    expect([asked, (await contents()).length]).toEqual([[], 3]);
  });
});

it.each([
  [YES, 1],
  [NO, 0],
])("shows the item before promoting it: %j", async (answer, copies) => {
  const { asks, memory, server } = await team(["company"]);
  await server.store.create("company");
  await memory.execute("remember", { content: "We are shut in August" });
  const { call, asked } = await asks(answer);
  await call("promote", { id: "ep:1", to: "company" });
  expect(asked).toEqual([expect.stringMatching(/ep:1 to company.*“We are shut in August”/)]);
  const { episodes } = await server.store.open("company").execute("list_episodes", {});
  expect(episodes).toHaveLength(copies);
});

it("asks over stdio too", { timeout: 90_000 }, async () => {
  const { home, project } = cairnPlace();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await builtCli(), "mcp"],
    cwd: project,
    env: { PATH: process.env.PATH ?? "", HOME: home, CAIRN_EMBEDDING_PROVIDER: "none" },
  });
  const { call, asked } = await clientOf(transport as Transport, chosen("replace"));
  const fact = { episode_type: "fact", entities: "project:shop" };
  await call("remember", { ...fact, content: "We deploy on Fridays" });
  await call("remember", { ...fact, content: "We deploy on Tuesdays" });
  expect(asked).toHaveLength(1);
  const { text } = await call("recall", { query: "when do we deploy?" });
  expect(text).toContain("Tuesdays");
});
