import { expect, it } from "vitest";
import { memoryTools } from "../../../src/agent/tools/memory-tools.ts";
import { openTestMemory } from "../support/memory.ts";
import { createTestProject } from "../support/project.ts";

it.each(["on", "read"] as const)("describe only offered tools with memory %s", async (mode) => {
  const memory = openTestMemory(await createTestProject());
  const tools = memoryTools({ memory, mode, threadId: "t" });
  const offered = new Set(tools.map(({ name }) => name));
  const ops = new Set([...memory.operations.values()].flatMap((one) => one.changeset?.op ?? []));
  for (const { name, description } of tools) {
    for (const [, named = ""] of description.matchAll(/`([a-z_]+)`/g)) {
      if (!memory.operations.has(named)) continue;
      const isKnown = offered.has(named) || (offered.has("memory_apply") && ops.has(named));
      expect(isKnown, `${name} names ${named}`).toBe(true);
    }
  }
});

it("memory_apply shows how ops are written, and they can be", async () => {
  const memory = openTestMemory(await createTestProject());
  const tools = memoryTools({ memory, mode: "on", threadId: "t" });
  const { description = "" } = tools.find(({ name }) => name === "memory_apply") ?? {};
  const changeset = description.slice(description.indexOf("Examples:") + 10).trim();
  expect(changeset.split("\n").length).toBeGreaterThan(5);
  const { errors } = await memory.execute("apply", { changeset, dry_run: true }).catch((error) => ({
    errors: error.details?.errors ?? [],
  }));
  // The records do not exist in this memory, so only `not_found` errors are expected.
  expect(errors.filter(({ code }: { code: string }) => code !== "not_found")).toEqual([]);
});
