import { execFileSync } from "node:child_process";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { agentSettings } from "../../../src/agent/settings.ts";
import { openTestMemory } from "../support/memory.ts";
import { createTestProject } from "../support/project.ts";
import { startHarness } from "../support/thread-harness.ts";

const MOST = 4_000;

/** A memory after weeks of use, as it appears in the first prompt. */
async function usedMemory() {
  const memory = openTestMemory(await createTestProject());
  const add = (content: string, episode_type: string) =>
    memory.execute("remember", { content, episode_type, entities: "project:shop" });
  for (const month of ["March", "April", "May", "June"]) {
    await add(`We decided in ${month} to round money per invoice line, half to even.`, "decision");
    await add(`The invoices of ${month} are kept for ten years in their own bucket.`, "fact");
  }
  await add("Always write money in cents, never as a floating point number.", "preference");
  await add("Run the linter before each commit.", "preference");
  return memory;
}

it.each(["hashline", "searchReplace"] as const)(
  "has at most 4 500 tokens and a stable prefix, edits by %s",
  async (editMode) => {
    const settings = agentSettings.parse({ sandbox: "off", editMode });
    const answers = [
      { toolCalls: [{ name: "glob", args: { pattern: "*" } }] },
      { text: "Done." },
      { text: "Done again." },
    ];
    const harness = await startHarness({ answers, settings, memory: await usedMemory() });
    execFileSync("git", ["init", "--quiet"], { cwd: harness.projectRoot });
    await harness.say("How do we round money in invoices? Fix the total if it is wrong.");
    await harness.say("And once more.");
    const bodies = harness.model.requests.map(({ body }) => body);
    await harness.close();
    const [first, ...later] = bodies;
    const tokens =
      countTokens(JSON.stringify(first?.tools)) +
      (first?.messages ?? []).reduce(
        (sum, { content }) =>
          sum + countTokens(typeof content === "string" ? content : JSON.stringify(content)),
        0,
      );
    expect(tokens).toBeGreaterThan(2_000);
    expect(tokens).toBeLessThanOrEqual(MOST);
    // Prompt caching requires that each request starts with the previous one.
    expect(later).toHaveLength(2);
    for (const [index, body] of later.entries()) {
      const before = bodies[index];
      expect(body.tools).toEqual(before?.tools);
      const retainedCount = before?.messages.length ?? 0;
      expect(body.messages.slice(0, retainedCount)).toEqual(before?.messages);
    }
  },
);
