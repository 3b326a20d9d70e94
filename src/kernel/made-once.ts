/** What is made of a key, for each key once, for as long as the process lives: so of few keys. */
export function madeOnce<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new Map<Key, Made>();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key) as Made;
  };
}
