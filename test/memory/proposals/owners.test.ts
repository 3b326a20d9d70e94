import { expect, it, onTestFinished } from "vitest";
import { testMemory } from "../../support/test-memory.ts";

it("only its owners, and admins, decide about a proposal", async () => {
  const limits = {
    ...{ contentBytes: 10_000, changesetOps: 100, proposalDays: 60 },
    proposalOwners: ["label:area=pay bruno"],
  };
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
