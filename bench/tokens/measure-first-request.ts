/**
 * Size of the agent's first request: o200k tokens of the system prompt, the tools and the message,
 * with a memory of decisions, preferences, facts and a conflict. Fails above a limit.
 *
 *   npx tsx bench/tokens/measure-first-request.ts [--show]
 */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { createThreadHost } from "../../src/agent/index.ts";
import { agentSettings } from "../../src/agent/settings.ts";
import { SqliteDatabase } from "../../src/database/index.ts";
import { llmSettings } from "../../src/llm/index.ts";
import { createOperations, openMemory } from "../../src/memory/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { startScriptedModel } from "../../test/support/scripted-model.ts";
import { printTable } from "../support/print-table.ts";

const MAX_TOKENS = 4_000;
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
const projectRoot = join(folder, "project");
mkdirSync(projectRoot);
const memory = openMemory({
  name: "default",
  database: new SqliteDatabase({ path: join(folder, "default.db") }),
  embedder: undefined,
  operations: createOperations(),
  logger: silentLogger,
  readsAsEmpty: true,
});
const rows: (readonly [string, number])[] = [];
let isOver = false;
try {
  await fillMemory();
  for (const editMode of ["hashline", "searchReplace"] as const) {
    const { system, tools, message } = await captureFirstRequest(editMode);
    const parts = { system, tools, message };
    for (const [name, text] of Object.entries(parts)) {
      rows.push([`${editMode}, ${name}`, countTokens(text)]);
      if (process.argv.includes("--show")) process.stdout.write(`== ${name}\n${text}\n\n`);
    }
    const sum = Object.values(parts).reduce((total, text) => total + countTokens(text), 0);
    rows.push([`${editMode}, all${sum > MAX_TOKENS ? "  MISSED" : ""}`, sum]);
    isOver ||= sum > MAX_TOKENS;
  }
  printTable(["o200k tokens", `at most ${MAX_TOKENS}`], rows);
  if (isOver) process.exitCode = 1;
} finally {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
}

async function captureFirstRequest(editMode: "hashline" | "searchReplace") {
  const model = await startScriptedModel({ text: "Done." });
  const host = await createThreadHost({
    projectRoot,
    dataDir: join(folder, "data"),
    userConfigDir: join(folder, "config"),
    settings: agentSettings.parse({ sandbox: "off", editMode }),
    llm: llmSettings.parse({
      provider: "openai-compatible",
      model: "scripted",
      baseUrl: model.baseUrl,
    }),
    memory,
    surface: "server",
    environment: process.env,
  });
  const { threadId } = await host.create();
  const idle = new Promise<void>((resolve) => {
    host.subscribe((event) => {
      if (event.type === "status" && event.phase === "idle") resolve();
    });
  });
  await host.send(threadId, "How do we round money in invoices? Fix the total if it is wrong.");
  await idle;
  await host.close();
  await model.close();
  const body = model.requests[0]?.body;
  const texts = (role: string) =>
    (body?.messages ?? [])
      .filter((message) => message.role === role)
      .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
      .join("\n");
  return {
    system: texts("system"),
    tools: JSON.stringify(body?.tools ?? []),
    message: texts("user"),
  };
}

/** Fills the memory as a small project does in some weeks. */
async function fillMemory(): Promise<void> {
  const add = (content: string, episode_type: string) =>
    memory.execute("remember", { content, episode_type, entities: "project:shop" });
  for (const month of ["March", "April", "May", "June"]) {
    await add(`We decided in ${month} to round money per invoice line, half to even.`, "decision");
    await add(`The invoices of ${month} are kept for ten years in their own bucket.`, "fact");
  }
  await add("Always write money in cents, never as a floating point number.", "preference");
  await add("Run the linter before each commit.", "preference");
  const ports = [await add("The invoice service listens on 8080.", "fact")];
  ports.push(await add("The invoice service listens on 9090.", "fact"));
  const [a, b] = ports.map((port) => port.fact_id ?? "");
  await memory.execute("open_conflict", { fact_a: a ?? "", fact_b: b ?? "" });
}
