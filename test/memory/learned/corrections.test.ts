import { expect, it } from "vitest";
import { learnFromPassages } from "../../../src/ingest/learning/index.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";
import { CORRECTIONS } from "./labelled-corrections.ts";

async function say(t: TestMemory, text: string, lines: readonly string[] = []) {
  t.clock.advance(60_000);
  const verdicts = await learnFromPassages([{ id: "said", by: "user", text }]);
  const claims = verdicts.flatMap(({ verdict, claim }) =>
    verdict === "refuse"
      ? []
      : [
          {
            content: claim.text,
            episode_type: claim.kind === "failed_attempt" ? "outcome" : claim.kind,
            asserted_by: "user",
            quotation: claim.quotation,
            corrects: claim.corrects,
            rejects: [...claim.rejects],
            only_if_replaces: claim.onlyReplaces === true,
            verdict,
          },
        ],
  );
  return t.call("keep_learned", { claims, shown: [...lines] });
}

it.each(CORRECTIONS)("$says / $held", async ({ held, says, shown, replaces }) => {
  await using t = createTestMemory();
  for (const [type, content] of held) {
    await t.call("remember", { content, episode_type: type, asserted_by: "user" });
  }
  const ids = held.map((_, index) => `ep:${index + 1}`);
  const learned = await say(t, says, shown === true ? ids : []);
  const replaced = learned.kept.flatMap((one) => one.replaced.map(({ id }) => id));
  expect(replaced.sort()).toEqual(replaces.map((index) => ids[index]));
});
