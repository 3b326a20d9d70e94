const PATH = /(?<![\w@/.])(?:[\w.-]+\/)*[\w-]+\.(?:[a-z]{1,4}|[a-z]+\d?)(?![\w/])/g;
const MAX_PATHS = 5;
/** Bounds the time for long words with hyphens. */
const MAX_SEARCHED_CHARACTERS = 10_000;

/** Names with a slash or with an ending that source files have. */
export function pathsIn(text: string): readonly string[] {
  const found = [...text.slice(0, MAX_SEARCHED_CHARACTERS).matchAll(PATH)].map(([path]) => path);
  const paths = found.filter(
    (path) =>
      path.includes("/") ||
      /\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|md|json|ya?ml|toml|sh|sql|c|h|cpp|cs|php|css|html)$/.test(
        path,
      ),
  );
  return [...new Set(paths)].slice(0, MAX_PATHS);
}
export const CLAIM_KINDS = ["decision", "preference", "fact", "outcome", "failed_attempt"] as const;
export type ClaimKind = (typeof CLAIM_KINDS)[number];

export interface LearningPassage {
  /** `passage:4`, or whatever the caller calls it. */
  readonly id: string;
  readonly by: "user" | "assistant" | "tool";
  readonly text: string;
  /** ISO time. */
  readonly at?: string | undefined;
  readonly files?: readonly string[] | undefined;
  /** True if the turn has read what strangers wrote: pages, answers of MCP servers. */
  readonly hasReadForeign?: boolean | undefined;
}

/** Something of a session that a later one should know, as a maker puts it to the gate. */
export interface Claim {
  readonly kind: ClaimKind;
  readonly text: string;
  readonly said_by: "user" | "assistant";
  /** ISO time; absent where the passage has none. */
  readonly at?: string | undefined;
  /** Paths that it is about. */
  readonly files: readonly string[];
  readonly quotation: string;
  readonly evidence: readonly string[];
  /** True if it says that something else held before. */
  readonly corrects: boolean;
  readonly rejects: readonly string[];
  readonly onlyReplaces?: boolean;
}

export type Verdict =
  | { readonly verdict: "accept"; readonly claim: Claim }
  | { readonly verdict: "propose"; readonly claim: Claim; readonly reason: string }
  | { readonly verdict: "refuse"; readonly claim: Claim; readonly reason: string };

/** Lower-case letters and digits, for comparing statements regardless of punctuation. */
export function comparableText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
