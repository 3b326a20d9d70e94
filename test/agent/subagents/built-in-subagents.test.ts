import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { agentSettings } from "../../../src/agent/settings.ts";
import type { ScriptedAnswer } from "../../support/scripted-model.ts";
import { openTestMemory } from "../support/memory.ts";
import { createTestProject } from "../support/project.ts";
import { type Harness, type HarnessOptions, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

const toolsOf = (index: number) =>
  harness.model.requests[index]?.body.tools?.map((tool) => tool.function.name);

const handOver = (id: string, prompt: string): ScriptedAnswer => ({
  toolCalls: [{ name: "subagent", args: { id, prompt } }],
});

const last = (index: number) =>
  String(harness.model.requests[index]?.body.messages.at(-1)?.content ?? "");

describe("the subagents that everybody has", () => {
  it("are in the prompt, explore with tools that only read and with the model set for it", async () => {
    const subagent = { models: { explore: "small-model" } };
    harness = await startHarness({
      settings: agentSettings.parse({ sandbox: false, subagent }),
      answers: [handOver("explore", "Where is the price made?"), { text: "In a.ts." }],
    });
    await harness.say("look into the price");
    const system = String(harness.model.requests[0]?.body.messages[0]?.content);
    for (const id of ["explore", "general", "review"]) expect(system).toContain(`- \`${id}\`:`);
    expect(toolsOf(1)).toEqual(["read", "skim", "filegrep", "glob", "grep", "web_fetch"]);
    const models = harness.model.requests.map(({ body }) => body.model);
    expect(models).toEqual([models[0], "small-model", models[0]]);
    expect(models[0]).not.toBe("small-model");
  });

  it("of one step run concurrently, each with its own label", async () => {
    harness = await startHarness();
    const both = ["first", "second"].map((prompt) => ({
      name: "subagent",
      args: { id: "explore", prompt },
    }));
    harness.model.script({ toolCalls: both });
    harness.model.respond(async ({ body }) => {
      const [, asked] = body.messages;
      if (asked?.content === "hello") return { text: "done" };
      // Both requests must be in flight before either gets a response.
      await harness.model.waitForRequests(3);
      return { text: `about ${String(asked?.content)}` };
    });
    await harness.say("hello");
    const replies = harness.events.flatMap((event) =>
      event.type === "assistant.done" && event.contextLabel !== undefined ? [event] : [],
    );
    // Either may start first.
    const labels = replies.map(({ contextLabel }) => contextLabel);
    expect(labels.sort()).toEqual(["[explore 2]", "[explore]"]);
    expect(replies.map(({ text }) => text).sort()).toEqual(["about first", "about second"]);
  });
});

describe("findings of explore", () => {
  const ask = handOver("explore", "Where is the price made?");
  const looking: ScriptedAnswer = {
    toolCalls: [
      { name: "read", args: { path: "price.ts" } },
      { name: "grep", args: { pattern: "priceOf" } },
    ],
  };

  async function exploreOnce(options: HarnessOptions = {}): Promise<void> {
    const memory = openTestMemory(await createTestProject());
    harness = await startHarness({ memory, keepsSessions: true, ...options });
    await writeFile(join(harness.projectRoot, "price.ts"), "export const priceOf = 1;\n");
    harness.model.script(ask, looking, { text: "In price.ts:1, as a constant." }, { text: "ok" });
    await harness.say("look");
    expect(harness.model.requests).toHaveLength(4);
  }

  it("are passages that recall finds", async () => {
    await exploreOnce();
    const found = await harness.options.memory?.execute("recall", {
      query: "price",
      passage_k: 3,
    });
    expect(found?.passages).toMatchObject([{ kind: "exploration", files: ["price.ts"] }]);
    expect(found?.passages?.[0]?.text).toContain("In price.ts:1, as a constant.");
  });

  it("answer the same prompt without a request, also in another thread", async () => {
    await exploreOnce();
    await harness.host.create({ threadId: "other" });
    const again = handOver("explore", "  where is the Price made");
    harness.model.script(again, { text: "known" });
    await harness.say("look again", "other");
    expect(harness.model.requests).toHaveLength(6);
    expect(last(5)).toMatch(/^In price\.ts:1, as a constant\.\n\n\(found out on \d{4}-\d\d-\d\d; /);
  });

  it("are recomputed when a read file changed", async () => {
    await exploreOnce();
    await appendFile(join(harness.projectRoot, "price.ts"), "// moved\n");
    harness.model.script(ask, { text: "Elsewhere now." }, { text: "ok" });
    await harness.say("look again");
    expect(harness.model.requests).toHaveLength(7);
    expect(last(6)).toBe("Elsewhere now.");
  });

  it("are recomputed when a new file matches an earlier search", async () => {
    await exploreOnce();
    await writeFile(join(harness.projectRoot, "shop.ts"), "import { priceOf } from './price';\n");
    harness.model.script(ask, { text: "In two places." }, { text: "ok" });
    await harness.say("look again");
    expect(last(6)).toBe("In two places.");
  });

  it("are not stored without sessions", async () => {
    await exploreOnce({ keepsSessions: false });
    const sources = await harness.options.memory?.execute("list_sources", {});
    expect(sources?.sources).toEqual([]);
  });
});
