import type { Tx } from "./tx.ts";

const owners = new WeakMap<object, object>();

/** Says that a connection reads the same file as the others of this owner. */
export function readsFor(owner: object, tx: Tx): Tx {
  owners.set(tx, owner);
  return tx;
}

/**
 * Something that is kept in memory for each open file, shared by its connections and gone when they
 * are closed. Whoever keeps it finds out whether it is still what the file holds.
 */
export function keptForFile<Kept>(make: () => Kept): (tx: Tx) => Kept {
  const known = new WeakMap<object, Kept>();
  return (tx) => {
    const owner = owners.get(tx) ?? tx;
    const kept = known.get(owner) ?? make();
    known.set(owner, kept);
    return kept;
  };
}
