import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { startScriptedModel } from "../support/scripted-model.ts";

const RULE = "Amounts are stored as integer cents.";
const CONVERSATION = {
  id: "shop-1",
  project: "shop",
  turns: [
    { by: "user", text: RULE, keep: [{ quote: RULE, kind: "decision" }] },
    { by: "assistant", text: "Noted." },
    { by: "user", text: "Run the tests." },
    { by: "assistant", text: "They pass." },
  ],
};

it("plays labelled conversations with a provider and compares what it remembered", async () => {
  const remember = (content: string) => ({ toolCalls: [{ name: "remember", args: { content } }] });
  const model = await startScriptedModel(remember(RULE), remember("The tests were run."));
  onTestFinished(() => model.close());
  const home = mkdtempSync(join(tmpdir(), "cairn-capture-agent-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const config = join(home, ".config", "cairn");
  mkdirSync(config, { recursive: true });
  const { baseUrl } = model;
  const provider = { provider: "openai-compatible", baseUrl, model: "m", apiKey: "k" };
  writeFileSync(join(config, "config.json"), JSON.stringify(provider), { mode: 0o600 });
  const [data, json] = [join(home, "data.json"), join(home, "items.json")];
  writeFileSync(data, JSON.stringify({ conversations: [CONVERSATION] }));
  const script = resolve("bench/capture-agent.ts");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), script, "--data", data, "--json", json],
    { cwd: home, env: { PATH: process.env.PATH, HOME: home } },
  );
  const items: readonly { text: string; verdict: string }[] = JSON.parse(
    readFileSync(json, "utf8"),
  );
  expect(items.map(({ text, verdict }) => [text, verdict])).toEqual([
    [RULE, "right"],
    ["The tests were run.", "junk"],
  ]);
  expect(stdout).toMatch(/50\.0.*100\.0.*50\.0/);
  expect(model.requests).toHaveLength(2);
});
