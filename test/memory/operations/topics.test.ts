import { expect, it } from "vitest";
import { createTestMemory } from "../../support/test-memory.ts";

it("a topic always shows its number of active episodes and concepts", async () => {
  await using t = createTestMemory();
  const made = await t.call("create_topic", { name: "Deploys" });
  expect(made).toMatchObject({ episode_count: 0, concept_count: 0 });
  await t.apply(
    'remember as=a topic=deploys "one"',
    'remember topic=deploys "two"',
    'remember as=c topic=deploys "three"',
    'remember "four"',
    'concept as=p title=P from=$a "p"',
    "set_topic id=$p topic=deploys",
    "topic name=Empty",
    "delete id=$c",
  );
  const counted = { id: "deploys", episode_count: 2, concept_count: 1 };
  const { topics } = await t.call("list_topics");
  expect(topics).toMatchObject([counted, { id: "empty", episode_count: 0, concept_count: 0 }]);
  const overview = await t.call("topic_overview", { topic_id: "deploys" });
  expect(overview.topic).toMatchObject(counted);
  const changed = { topic_id: "deploys", description: "How we ship" };
  expect(await t.call("update_topic", changed)).toMatchObject(counted);
  const snapshot = await t.call("snapshot", { scopes: ["topic:deploys"] });
  expect(snapshot).toMatchObject({ "topic:deploys": { topic: counted } });
});
