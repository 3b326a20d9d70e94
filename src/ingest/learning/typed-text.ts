const PATH_PATTERN = /(?<![\w@/.])(?:[\w.-]+\/)*[\w-]+\.(?:[a-z]{1,4}|[a-z]+\d?)(?![\w/])/g;
const MAX_PATHS = 5;
/** Bounds the time spent on long hyphenated words. */
const MAX_SEARCHED_CHARACTERS = 10_000;

export function findPaths(text: string): readonly string[] {
  const found = [...text.slice(0, MAX_SEARCHED_CHARACTERS).matchAll(PATH_PATTERN)].map(
    ([path]) => path,
  );
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
  /** Id assigned by the caller, such as `passage:4`. */
  readonly id: string;
  readonly by: "user" | "assistant" | "tool";
  readonly text: string;
  readonly at?: string | undefined;
  readonly files?: readonly string[] | undefined;
  /** True if the turn has read untrusted content, such as pages or MCP results. */
  readonly hasReadForeign?: boolean | undefined;
}

/** A candidate claim from a session, before the gate judges it. */
export interface Claim {
  readonly kind: ClaimKind;
  readonly text: string;
  readonly said_by: "user" | "assistant";
  /** ISO time; absent if the passage has none. */
  readonly at?: string | undefined;
  readonly files: readonly string[];
  readonly quotation: string;
  readonly evidence: readonly string[];
  /** True if it replaces an earlier statement. */
  readonly corrects: boolean;
  readonly rejects: readonly string[];
  readonly onlyReplaces?: boolean;
}

export type Verdict =
  | { readonly verdict: "accept"; readonly claim: Claim }
  | { readonly verdict: "propose"; readonly claim: Claim; readonly reason: string }
  | { readonly verdict: "refuse"; readonly claim: Claim; readonly reason: string };

export function comparableText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export interface Sentence {
  readonly text: string;
  readonly quotation: string;
}

const MAX_SENTENCE_CHARACTERS = 600;
/** Longer messages were not typed. */
const MAX_TYPED_CHARACTERS = 6_000;
const MAX_TYPED_LINES = 80;
const MIN_LINES_OF_PASTE = 8;
const PROSE_RATIO = 0.5;
const MAX_HEADINGS = 2;
/** Shorter sentences may repeat the assistant's words by chance. */
const MIN_ECHO_CHARACTERS = 30;

/** Openings of prompts written for a model or command rather than typed. */
const PROMPT_START =
  /^(?:---\s*\n|\/[\w:-]+(?:\s|$)|#{1,3} |(?:you are|act as|your (?:role|task|job) is|as an?) (?:an? |the )?[\w -]{0,40}(?:agent|assistant|expert|engineer|developer|model|reviewer|specialist)\b)/iu;

/**
 * Judges by length and layout whether the user typed a message. Documents, templates, command
 * prompts and terminal output are not typed.
 */
export function isTyped(text: string): boolean {
  if (text.length > MAX_TYPED_CHARACTERS) return false;
  const message = text.trim();
  // Client text in tags is already removed; remaining tags belong to a template.
  if (PROMPT_START.test(message) || /^\s*<[a-z]+[-_][\w-]*[\s>]/im.test(message)) return false;
  const lines = message.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  if (lines.length > MAX_TYPED_LINES) return false;
  if (lines.filter((line) => /^\s{0,3}#{1,6}\s/.test(line)).length >= MAX_HEADINGS) return false;
  const prose = lines.filter((line) => isProse(line));
  return lines.length < MIN_LINES_OF_PASTE || prose.length >= lines.length * PROSE_RATIO;
}

const CODE_LINE = new RegExp(
  [
    String.raw`^\s*(?:[>|#$%]|at\s|\d+[:|]|[-+]{3}\s|@@|diff --git|\[?\d{4}-\d\d-\d\d[T ]\d\d:|\d\d:\d\d:\d\d)`,
    String.raw`^\s*(?:import|export|const|let|var|return|def|class|function|public|private|from \S+ import|SELECT|INSERT|UPDATE|FAIL|PASS|ERROR|WARN(?:ING)?|INFO|DEBUG|Traceback|File ")\b(?!,)`,
    String.raw`[{};]\s*$|=>|\)\s*\{|^\s*[\w.-]+\s*[:=]\s*["'{[(\d]|^\s*</?[a-z]|[│┃┌└├─╭╰⎿⏺✓✗✘⚠→]`,
    String.raw`\w\(\)?[^)]*\)\s*[;:]\s*$|^\s*\S+[\\/]\S+\s*$|\bhttps?://\S+\s*$`,
    String.raw`^\s*(?:at )?[\w./-]+\.\w{1,4}:\d+`,
    String.raw`^\+(?=\S)|^\s*(?:\w+\.)*(?:[A-Z]\w*)?(?:Error|Exception|Warning): `,
  ].join("|"),
);

function isProse(line: string): boolean {
  if (CODE_LINE.test(line)) return false;
  const letters = line.match(/[\p{L}\s]/gu)?.length ?? 0;
  return letters >= line.length * 0.6;
}

export function createEchoTest(assistant: readonly string[]): (sentence: string) => boolean {
  const earlier = assistant.map(comparableText);
  return (sentence) => {
    const text = comparableText(sentence);
    return text.length >= MIN_ECHO_CHARACTERS && earlier.some((one) => one.includes(text));
  };
}

/**
 * Splits prose into sentences, without code blocks, quotations, tables, headings and list markers.
 */
export function splitSentences(text: string): Sentence[] {
  return withoutQuotations(withoutBlocks(withoutMail(text)))
    .split(/\r\n?|\n/)
    .filter((line) => isProse(line))
    .map((line) => line.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, ""))
    .flatMap(splitLine)
    .map((quotation) => quotation.trim())
    .map((quotation) => ({
      quotation,
      text: withoutStrayQuote(
        quotation
          .replaceAll(/\*\*|__|\[Image #\d+\]/g, "")
          .replaceAll(/\s+/g, " ")
          .trim(),
      ),
    }))
    .filter(
      ({ text: sentence }) => isLongEnough(sentence) && sentence.length <= MAX_SENTENCE_CHARACTERS,
    );
}

const MAIL_HEADER = String.raw`(?:From|To|Cc|Date|Sent|Subject): [^\n]*`;
/** Two header lines of a mail, or an armored block, up to its end or that of the text. */
const PASTED_MAIL = new RegExp(
  String.raw`^${MAIL_HEADER}\r?\n${MAIL_HEADER}$[\s\S]*|^-----BEGIN [A-Z ]+-----[\s\S]*?(?:^-----END |(?![\s\S]))`,
  "gm",
);

function withoutMail(text: string): string {
  return text.replaceAll(PASTED_MAIL, "\n");
}

/** A quotation of several sentences; a single quoted sentence is judged with its context. */
const QUOTATION = /["“„«][^"“”„«»\n]*[.!?…]\s[^"“”„«»\n]*["”“»]/gu;

/** Removes quotations of several sentences, unless the client quotes the whole prompt. */
function withoutQuotations(text: string): string {
  const prompt = text.trim();
  return text.replaceAll(QUOTATION, (quotation) => (quotation === prompt ? quotation : "…"));
}

/** Removes fenced code and tagged blocks in one pass each. */
function withoutBlocks(text: string): string {
  const remaining: string[] = [];
  let fence = false;
  let tag: string | undefined;
  for (const line of text.split("\n")) {
    if (tag === undefined && /^\s*(?:```|~~~)/.test(line)) {
      fence = !fence;
      continue;
    }
    if (fence) continue;
    if (tag === undefined) {
      const openTag = /<([a-z][\w:-]{0,60})(?:\s[^<>]{0,500})?>/i.exec(line);
      if (openTag?.[1] === undefined) remaining.push(line);
      else {
        remaining.push(line.slice(0, openTag.index));
        if (!line.includes(`</${openTag[1]}>`)) tag = openTag[1];
      }
    } else if (line.includes(`</${tag}>`)) tag = undefined;
  }
  return remaining.join("\n");
}

function splitLine(line: string): string[] {
  return line
    .split(
      /(?<=[.!?…]["'”’)*]?)\s+(?=["'“‘`(*¿¡]?[\p{L}\p{N}¿¡])|(?<=[。！？]["」』）]?)(?!["」』）])/u,
    )
    .filter((part) => part !== "");
}

function isLongEnough(text: string): boolean {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return text.length + dense * 2 >= 12;
}

/** Some clients quote the whole prompt, which leaves one quotation mark in a sentence. */
function withoutStrayQuote(sentence: string): string {
  if ((sentence.match(/"/g) ?? []).length % 2 === 0) return sentence;
  if (sentence.startsWith('"')) return sentence.slice(1);
  return sentence.replace(/"([.!?]?)$/, "$1");
}
