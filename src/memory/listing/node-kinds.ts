export const NODE_KINDS = ["concept", "episode", "entity"] as const;

export type NodeKind = (typeof NODE_KINDS)[number];

export interface NodeRef {
  readonly kind: NodeKind;
  readonly number: number;
}

export const getKey = ({ kind, number }: NodeRef): string => `${kind} ${number}`;

/** Orders by kind; a stable sort preserves the order within a kind. */
export function compareKinds(a: { kind: NodeKind }, b: { kind: NodeKind }): number {
  return NODE_KINDS.indexOf(a.kind) - NODE_KINDS.indexOf(b.kind);
}
