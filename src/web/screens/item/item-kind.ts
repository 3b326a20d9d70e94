export type ItemKind = "episode" | "fact" | "source" | "passage" | "concept" | "entity";

const NUMBERED: Readonly<Record<string, ItemKind>> = {
  ep: "episode",
  fact: "fact",
  source: "source",
  passage: "passage",
};

export function kindOfId(id: string): ItemKind {
  const prefix = /^(\w+):\d+$/.exec(id)?.[1] ?? "";
  return NUMBERED[prefix] ?? (id.includes(":") ? "entity" : "concept");
}
