import { expect, it, onTestFinished } from "vitest";
import { testMemory } from "../../support/test-memory.ts";

const limits = {
  ...{ contentBytes: 10_000, changesetOps: 100, proposalDays: 60 },
  proposalOwners: ["label:area=pay bruno"],
};

it("lets an admin of this database alone decide, and no admin of another", async () => {
  const test = testMemory({ limits });
  onTestFinished(() => test[Symbol.asyncDispose]());
  const { name } = test.memory;
  await test.call("propose", { content: "One", labels: "area=pay" });
  const accept = (within: Record<string, "admin" | "write">) =>
    test.memory.executeNamed(
      "accept_proposal",
      { proposal_id: "proposal:1" },
      { caller: { name: "ada", scope: "read", databases: Object.keys(within), within } },
    );
  await expect(accept({ [name]: "write", other: "admin" })).rejects.toThrow(/bruno decides/);
  await expect(accept({ [name]: "admin", other: "write" })).resolves.toMatchObject({
    status: "accepted",
  });
});

it("only its owners, and admins, decide about a proposal", async () => {
  const test = testMemory({ limits });
  onTestFinished(() => test[Symbol.asyncDispose]());
  for (const content of ["One", "Two", "Three"]) {
    await test.call("propose", { content, labels: "area=pay" });
  }
  const accept = (proposal: string, name: string, scope: "write" | "admin") =>
    test.memory.executeNamed(
      "accept_proposal",
      { proposal_id: proposal },
      { caller: { name, scope } },
    );
  await expect(accept("proposal:1", "carla", "write")).rejects.toThrow(/bruno decides about it/);
  await expect(accept("proposal:1", "bruno", "write")).resolves.toMatchObject({
    status: "accepted",
  });
  await expect(accept("proposal:2", "ada", "admin")).resolves.toMatchObject({ status: "accepted" });
  await test.call("propose", { content: "Four" });
  await expect(accept("proposal:4", "carla", "write")).resolves.toMatchObject({
    status: "accepted",
  });
});

it("whoever owns the topic decides what is proposed for it, and it keeps the topic", async () => {
  const owners = { ...limits, proposalOwners: ["* carla", "topic:payments bruno"] };
  const test = testMemory({ limits: owners });
  onTestFinished(() => test[Symbol.asyncDispose]());
  await test.call("create_topic", { name: "Payments" });
  await test.call("propose", { content: "Cards are charged at night", topic: "Payments" });
  await expect(test.call("propose", { content: "Two", topic: "Nothing" })).rejects.toThrow(
    /no topic "Nothing"/,
  );
  const { proposals } = await test.call("list_proposals", {});
  expect(proposals.map(({ topic_id }) => topic_id)).toEqual(["payments"]);
  const accept = (name: string) =>
    test.memory.executeNamed(
      "accept_proposal",
      { proposal_id: "proposal:1" },
      { caller: { name, scope: "write" } },
    );
  await expect(accept("carla")).rejects.toThrow(/bruno decides about it/);
  await accept("bruno");
  const { episodes } = await test.call("list_episodes", {});
  expect(episodes.map(({ topic_id }) => topic_id)).toEqual(["payments"]);
});
