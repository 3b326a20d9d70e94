const LONGEST = 64;

/** Authors that changes have without a person: what stands there must be what it says. */
const TAKEN: readonly string[] = ["cli", "rest", "mcp", "agent", "library", "retention"];

/** The author's name of who logs in under this one: the form that tokens have, too. */
export function personName(userName: string): string {
  const name = userName
    .trim()
    .replace(/[^A-Za-z0-9._@-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, LONGEST);
  if (name === "") return "somebody";
  return TAKEN.includes(name.toLowerCase()) ? `person-${name}` : name;
}
