import { expect, it } from "vitest";
import { RememberedChanges } from "../../../src/agent/checkpoints/remembered-changes.ts";
import { memoryStore, temporaryFolder } from "../../support/memory-server.ts";

it("takes promoted copies back with the turn, brings them again, and names one that stays", async () => {
  const store = memoryStore(temporaryFolder(), [], { layers: ["team"] });
  try {
    const [memory, team] = [store.open(), store.open("team")];
    const session = "thread";
    const by = { session, surface: "agent" } as const;
    const remembered = new RememberedChanges({ memory, session });
    const after = await remembered.newest();
    const { id } = await memory.execute("remember", { content: "Deploys are on Fridays" }, by);
    await memory.execute("promote", { id, to: "team" }, by);
    const range = await remembered.since(after);
    if (range === undefined) throw new Error("Nothing was remembered.");
    const texts = async () =>
      (await team.execute("list_episodes", {})).episodes.map(({ content }) => content);
    const { change = "", ...undone } = await remembered.undo(range);
    expect([undone, await texts()]).toEqual([{ remembered: 2 }, []]);
    expect(await remembered.redo(change)).toEqual({ remembered: 2 });
    expect(await texts()).toEqual(["Deploys are on Fridays"]);
    await team.execute("update_episode", { episode_id: "ep:1", content: "Never on Fridays" });
    const { copiesKept } = await remembered.undo(range);
    expect(copiesKept).toEqual([
      expect.stringMatching(/^team\/ep:1: In team, change:4 came later and stands on it\./),
    ]);
    expect(await texts()).toEqual(["Never on Fridays"]);
  } finally {
    await store.close();
  }
});
