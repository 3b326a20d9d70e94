// biome-ignore-all lint/suspicious/noThenProperty: a rule has a field of this name.
import { expect, it } from "vitest";
import { memorySettings } from "../../../src/memory/settings.ts";

const WHOLE = { types: ["observation"], olderThan: "180d", then: "delete" };

function problemsOf(rules: object): string[] {
  const read = memorySettings.safeParse({ retentionRules: rules });
  return (read.error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

const at = (rule: object) => ({ "old-chat": { ...WHOLE, ...rule } });

const BAD: readonly [object, string][] = [
  [at({ olderThan: "soon" }), "retentionRules.old-chat.olderThan: must be an age"],
  [at({ olderThan: "0d" }), "retentionRules.old-chat.olderThan"],
  [at({ olderThan: undefined }), "retentionRules.old-chat.olderThan"],
  [at({ then: "forget" }), "retentionRules.old-chat.then"],
  [at({ labels: "chat" }), "retentionRules.old-chat.labels"],
  [at({ labels: "," }), "retentionRules.old-chat.labels: must not be empty"],
  [at({ types: [] }), "retentionRules.old-chat.types: must not be empty"],
  [at({ entities: "gateway" }), "retentionRules.old-chat.entities"],
  [at({ kinds: "entity" }), "retentionRules.old-chat.kinds"],
  [at({ typ: "fact" }), "retentionRules.old-chat: "],
  [at({ types: undefined }), "retentionRules.old-chat: must say what it is about"],
  [{ "Old Chat": WHOLE }, "retentionRules.Old Chat"],
];

it.each(BAD)("a rule that cannot be followed names its field: %j", (rules, problem) => {
  expect(problemsOf(rules)).toEqual([expect.stringContaining(problem)]);
});

it("takes a rule as it is written, and reads its own answer again", () => {
  const retentionRules = {
    "old-chat": { ...WHOLE, databases: "shop, pay", labels: "area=chat", notLabels: ["keep=yes"] },
    scratch: { databases: ["scratch"], olderThan: "30d", then: "purge" },
  };
  const read = memorySettings.parse({ retentionRules });
  expect(read.retentionRules).toEqual(retentionRules);
  expect(memorySettings.parse(read).retentionRules).toEqual(retentionRules);
});
