export interface TeachingSession {
  readonly says: readonly string[];
  /** Prompt of a later session, and the pattern that its context must contain as active. */
  readonly asks: string;
  readonly holds: RegExp;
  /** Pattern that must not appear as active. */
  readonly old?: RegExp;
}

export const SESSIONS: readonly TeachingSession[] = [
  {
    says: ["We decided to store money as integer cents."],
    asks: "How do we store money in the new invoices table?",
    holds: /integer cents/,
  },
  {
    says: ["Always use npm to install packages."],
    asks: "Install the packages for the parser",
    holds: /npm/,
  },
  {
    says: ["Remember that the gateway times out after 10 seconds."],
    asks: "After how many seconds does the gateway time out?",
    holds: /10 seconds/,
  },
  {
    says: ["That's wrong, the gateway times out after 30 seconds, not 10."],
    asks: "After how many seconds does the gateway time out?",
    holds: /30 seconds/,
    old: /after 10 seconds/,
  },
  {
    says: ["We changed our mind: money is stored as Decimal, not as integer cents."],
    asks: "How do we store money in the new invoices table?",
    holds: /Decimal/,
    old: /store money as integer cents/,
  },
  {
    says: ["We decided to deploy with kubectl."],
    asks: "Deploy the shop to the cluster",
    holds: /kubectl/,
  },
  {
    says: ["Actually we deploy with Helm, not with kubectl."],
    asks: "Deploy the shop to the cluster",
    holds: /Helm/,
    old: /to deploy with kubectl/,
  },
  {
    says: ["From now on use pnpm to install packages, not npm."],
    asks: "Install the packages for the parser",
    holds: /pnpm/,
    old: /Always use npm/,
  },
  {
    says: ["We changed our mind again: money is stored as integer cents, not as Decimal."],
    asks: "How do we store money in the new invoices table?",
    holds: /integer cents, not as Decimal/,
    old: /our mind: money is stored as Decimal/,
  },
  {
    says: ["From now on use npm again to install packages, not pnpm."],
    asks: "Install the packages for the parser",
    holds: /npm again/,
    old: /use pnpm to install/,
  },
];

/** Lines that state something as active. Superseded statements are marked in their line. */
export const findTextsContaining = (text: string): readonly string[] =>
  text.split("\n").filter((line) => !/\b(?:was|replaced|until|no longer)\b/i.test(line));
