import type { Tx } from "./tx.ts";

const owners = new WeakMap<object, object>();

/** Declares that a connection reads the same file as the others of this owner. */
export function readsFor(owner: object, tx: Tx): Tx {
  owners.set(tx, owner);
  return tx;
}

export function cachePerFile<Kept>(make: () => Kept): (tx: Tx) => Kept {
  const known = new WeakMap<object, Kept>();
  return (tx) => {
    const owner = owners.get(tx) ?? tx;
    const kept = known.get(owner) ?? make();
    known.set(owner, kept);
    return kept;
  };
}
