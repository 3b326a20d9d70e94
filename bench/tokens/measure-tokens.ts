/**
 * Size of the memory in a model's context: o200k tokens of the tools as a client shows them (name,
 * description and input schema as JSON) and of typical results. Fails above a limit.
 *
 *   npx tsx bench/tokens/measure-tokens.ts [--show]
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { DatabaseFolder } from "../../src/database/index.ts";
import { createOperations, isDatabaseName, MemoryStore } from "../../src/memory/index.ts";
import { createMcpServer, type ToolChoice } from "../../src/server/mcp/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { packageRoot } from "../../src/shared/package.ts";
import { printTable } from "../support/print-table.ts";
import { createDefaultEmbedder } from "../support/temporary-memory.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
const store = new MemoryStore({
  backend: new DatabaseFolder(folder, isDatabaseName),
  defaultDatabase: "default",
  operations: createOperations(),
  embedder: createDefaultEmbedder(),
  logger: silentLogger,
  episodeTypes: [],
});
const rows: (readonly [string, number, number])[] = [];

try {
  for (const [name, choice, most] of [
    ["tools, interface a", { interface: "a", tools: "all" }, 3_000],
    ["tools, interface b", { interface: "b", tools: "all" }, 3_200],
    ["tools, core a", { interface: "a", tools: "core" }, 1_300],
    ["tools, core b", { interface: "b", tools: "core" }, 1_300],
  ] as const) {
    const { client } = await connect("tools", choice);
    const { tools } = await client.listTools();
    const shown = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    measure(name, JSON.stringify(shown), most);
    if (choice.tools === "all" && choice.interface === "a") {
      measure("instructions", client.getInstructions() ?? "", 350);
    }
  }
  const example = readFileSync(join(packageRoot(), "examples", "first-memory.changeset"), "utf8");
  const readme = await connect("readme");
  await readme.call("apply", { changeset: example });
  measure(
    "recall, README example",
    await readme.call("recall", { query: "why were customers charged twice?" }),
    500,
  );
  measure(
    "snapshot bootstrap conflicts recent:5, README example",
    await readme.call("snapshot", { scopes: "bootstrap conflicts recent:5" }),
    900,
  );
  const shop = await connect("shop");
  await shop.call("apply", { changeset: factsOf("project:shop", 60) });
  measure(
    "recall, 60 facts of one entity",
    await shop.call("recall", { query: "how many replicas does module 7 keep?" }),
    1_600,
  );
  const large = await connect("large");
  await large.call("apply", { changeset: factsOf("project:shop", 300) });
  measure(
    "remember a fact beside 300 others",
    await large.call("remember", {
      content: "Module 301 has no owner.",
      episode_type: "fact",
      entities: "project:shop",
    }),
    250,
  );
  measure(
    "apply 3 facts beside 300 others",
    await large.call("apply", {
      changeset: [7, 8, 9]
        .map((n) => `remember t=fact e=project:shop "Module ${n} keeps ${n + 1} replicas."`)
        .join("\n"),
    }),
    800,
  );
  measure("events, 60", await large.call("events", { limit: 60 }), 3_000);
  printTable(
    ["o200k tokens", "", "at most"],
    rows.map(([name, tokens, most]) => [`${name}${tokens > most ? "  MISSED" : ""}`, tokens, most]),
  );
  if (rows.some(([, tokens, most]) => tokens > most)) process.exitCode = 1;
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

function measure(name: string, text: string, most: number): void {
  rows.push([name, countTokens(text), most]);
  if (process.argv.includes("--show")) process.stdout.write(`== ${name}\n${text}\n\n`);
}

function factsOf(entity: string, count: number): string {
  return Array.from(
    { length: count },
    (_, n) => `remember t=fact e=${entity} "Module ${n + 1} keeps ${(n % 5) + 1} replicas."`,
  ).join("\n");
}

async function connect(
  db: string,
  choice: Pick<ToolChoice, "interface" | "tools"> = { interface: "a", tools: "all" },
) {
  const server = createMcpServer({
    store,
    db,
    ...choice,
    structured: false,
    session: "bench",
    version: "0",
    logger: silentLogger,
  });
  const [own, other] = InMemoryTransport.createLinkedPair();
  await server.connect(other);
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(own);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: input });
    return (content as { text: string }[])[0]?.text ?? "";
  };
  return { client, call };
}
