export type ItemKind = "episode" | "fact" | "concept" | "entity";

export function kindOfId(id: string): ItemKind {
  if (/^ep:\d+$/.test(id)) return "episode";
  if (/^fact:\d+$/.test(id)) return "fact";
  return id.includes(":") ? "entity" : "concept";
}
