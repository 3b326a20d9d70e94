import { expect, it } from "vitest";
import { createTestMemory } from "../../support/test-memory.ts";

it("lists one mistake by id, and nothing for other or deleted episodes", async () => {
  await using t = createTestMemory();
  for (const command of ["npm install", "git push"]) {
    await t.call("remember", {
      content: `Not ${command}`,
      labels: "mistake=refused",
      metadata: { mistake: { how: "refused", command, wanted: "ask first" } },
    });
  }
  await t.call("remember", { content: "Something else" });
  const idsOf = async (id: string) =>
    (await t.call("mistakes", { id })).mistakes.map((mistake) => mistake.id);
  expect(await idsOf("ep:1")).toEqual(["ep:1"]);
  expect(await idsOf("ep:3")).toEqual([]);
  await t.call("delete_episode", { episode_id: "ep:1" });
  expect(await idsOf("ep:1")).toEqual([]);
});

it("runs a constant number of statements before a call", async () => {
  let statements = 0;
  await using t = createTestMemory({ onStatement: () => (statements += 1) });
  const asked = async () => {
    statements = 0;
    const { total } = await t.call("mistakes", { command: "make release" });
    return { total, statements };
  };
  const note = (command: string) =>
    t.call("remember", {
      content: `Not ${command}`,
      labels: "mistake=refused",
      metadata: { mistake: { how: "refused", command, wanted: "ask first" } },
    });
  await note("npm install");
  const before = await asked();
  for (let at = 0; at < 30; at += 1) await note(`cargo step${at}`);
  expect(await asked()).toEqual(before);
  await note("make release");
  expect(await asked()).toMatchObject({ total: 1 });
});
