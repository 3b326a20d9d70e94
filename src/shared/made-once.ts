/** Caches what `make` returns for each key as long as the process lives, so use it for few keys only. */
export function madeOnce<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new Map<Key, Made>();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key) as Made;
  };
}
