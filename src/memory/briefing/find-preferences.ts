import type { ExecuteOptions } from "../context/execute-options.ts";
import type { Memory } from "../memory.ts";
import type { ContextItem } from "./block.ts";
import { selectItems } from "./file-context.ts";

interface Activity {
  readonly asks: RegExp;
  /** Requests in other languages than English. */
  readonly asksInOtherText: RegExp;
  readonly tells: RegExp;
}

const ACTIVITIES: readonly Activity[] = [
  {
    asks: /\b(?:write|add|create|extend|fix|update|change|cover|improve)\b.{0,60}\b(?:tests?|specs?|coverage)\b|\btest (?:it|this|the|that|every|each)\b.{8,}/iu,
    asksInOtherText:
      /(?<!\p{L})(?:schreibe?n?|ergänze?n?|écri\p{L}*|escrib\p{L}*).{0,40}tests?|(?:编写|添加).{0,20}测试/iu,
    tells:
      /\b(?:tests?|testing|specs?|mock\p{L}*|stubs?|fixtures?|coverage|assert\p{L}*|snapshot)\b|测试|テスト/iu,
  },
  {
    asks: /\b(?:document|describe|explain)\b.{0,40}\b(?:in (?:the )?(?:docs|readme|comments?)|function|module|api|class)\b|\b(?:write|update|add|extend|improve|fix)\b.{0,60}\b(?:docs?|documentation|readme|guide|changelog|comments?|docstrings?)\b/iu,
    asksInOtherText: /(?<!\p{L})(?:dokumentier\p{L}*|documente\p{L}*)|(?:编写|更新).{0,20}文档/iu,
    tells:
      /\b(?:docs?|documentation|readme|guides?|changelog|comments?|docstrings?|jsdoc|spelling)\b|文档|注释/iu,
  },
  {
    asks: /\b(?:commit|push|merge|rebase|squash)\b.{0,60}\b(?:it|this|that|changes?|work|commits?|pull request|pr|branch)\b|\b(?:open|create|prepare|write|release|publish|tag)\b.{0,60}\b(?:commits?|pull request|pr|branch|release|version)\b/iu,
    asksInOtherText:
      /(?<!\p{L})(?:committe\p{L}*|commite\p{L}*|veröffentlich\p{L}*)|提交|コミット/iu,
    tells:
      /\b(?:commits?|commit messages?|pull requests?|prs?|branch(?:es)?|push(?:es)?|force[- ]push\p{L}*|rebase|squash|merge|changelog|release\p{L}*|conventional commits|sign(?:ed)?[- ]off)\b|提交|コミット/iu,
  },
];

/** Questions request no work. */
const QUESTION_PATTERN =
  /^(?:what|why|when|where|who|whom|which|how|is|are|was|were|does|do|did|has|have|should|wer|was|wann|warum|wie|wo|welche\p{L}*|pourquoi|comment|quand|où|qui|qué|cómo|cuándo|dónde|por qué)\b[^.!]*\?\s*$/iu;

function classifyRequest(prompt: string): readonly Activity[] {
  if (QUESTION_PATTERN.test(prompt.trim())) return [];
  return ACTIVITIES.filter(
    ({ asks, asksInOtherText }) => asks.test(prompt) || asksInOtherText.test(prompt),
  );
}

const MAX_READ = 100;
const MAX_ITEMS = 4;

export interface StandingRequest {
  readonly prompt: string;
  readonly clock?: ExecuteOptions["clock"];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds preferences that apply to the requested activity, newest first. They often share no word
 * with the prompt: "small changes only" applies to "open a pull request". Preferences about code
 * in general apply to nearly every prompt and are shown at the start of the session instead.
 */
export async function findPreferences(
  memory: Memory,
  { prompt, clock, signal }: StandingRequest,
): Promise<readonly ContextItem[]> {
  const activities = classifyRequest(prompt);
  if (activities.length === 0) return [];
  const { items } = await memory.execute(
    "items",
    { kinds: ["episode"], type: ["preference"], limit: MAX_READ },
    { ...(signal !== undefined && { signal }), clock },
  );
  const isApplicable = ({ text }: { readonly text: string }) =>
    activities.some(({ tells }) => tells.test(text));
  return selectItems(items.filter(isApplicable))
    .slice(0, MAX_ITEMS)
    .map((item) => ({ ...item, why: { how: "standing" } }));
}
