import type { ExecuteOptions } from "../context/execute-options.ts";
import type { Memory } from "../memory.ts";
import type { ContextItem } from "./block.ts";
import { selectItems } from "./file-context.ts";

const WORK_KINDS = {
  code: {
    asks: /\b(?:implement|fix|refactor|rewrite|optimi[sz]e|extend|port|migrate|rename|extract|debug|build|create|write|add|change|make)\b(?!.{0,24}\b(?:commit|pull request)\b)/iu,
    asksElsewhere:
      /(?<!\p{L})(?:implementier\p{L}*|behebe?n?|repariere?n?|schreibe?n?|ändere?n?|baue?n?|ergänze?n?|corrige\p{L}*|écri\p{L}*|ajoute\p{L}*|modifie\p{L}*|implement[ae]\p{L}*|escrib\p{L}*|arregl\p{L}*|añad\p{L}*|scrivi\p{L}*|aggiungi\p{L}*|исправ\p{L}*|напиш\p{L}*|добав\p{L}*|реализ\p{L}*)|(?:实现|修复|编写|添加|修改|重构|実装|修正|追加|구현|수정|추가)/iu,
    tells:
      /\b(?:code|function|method|class|module|type|types|typed|typing|type hints?|any|interface|variable|constant|name|naming|camelcase|snake_case|import|export|async|await|callback|promise|exception|error handling|throw|logg(?:er|ing)|print|indent\p{L}*|tabs?|spaces|semicolons?|quotes|line length|style|format(?:ter|ting)?|lint\p{L}*|null|undefined|immutab\p{L}*|dependenc\p{L}*|librar\p{L}*|framework|global state|abstraction|early return|api|endpoint)\b|(?<!\p{L})(?:funktion\p{L}*|klasse\p{L}*|variable\p{L}*|einrück\p{L}*|fonction\p{L}*|función|funciones)|(?:代码|函数|变量|缩进|コード|関数|変数)/iu,
  },
  tests: {
    asks: /\b(?:write|add|create|extend|fix|update|change|cover|improve)\b.{0,60}\b(?:tests?|specs?|coverage)\b|\btest (?:it|this|the|that|every|each)\b.{8,}/iu,
    asksElsewhere:
      /(?<!\p{L})(?:schreibe?n?|ergänze?n?|écri\p{L}*|escrib\p{L}*).{0,40}tests?|(?:编写|添加).{0,20}测试/iu,
    tells:
      /\b(?:tests?|testing|specs?|mock\p{L}*|stubs?|fixtures?|coverage|assert\p{L}*|snapshot)\b|测试|テスト/iu,
  },
  docs: {
    asks: /\b(?:document|describe|explain)\b.{0,40}\b(?:in (?:the )?(?:docs|readme|comments?)|function|module|api|class)\b|\b(?:write|update|add|extend|improve|fix)\b.{0,60}\b(?:docs?|documentation|readme|guide|changelog|comments?|docstrings?)\b/iu,
    asksElsewhere: /(?<!\p{L})(?:dokumentier\p{L}*|documente\p{L}*)|(?:编写|更新).{0,20}文档/iu,
    tells:
      /\b(?:docs?|documentation|readme|guides?|changelog|comments?|docstrings?|jsdoc|spelling)\b|文档|注释/iu,
  },
  commit: {
    asks: /\b(?:commit|push|merge|rebase|squash|open|create|prepare|release|publish|tag)\b.{0,60}\b(?:it|this|that|changes?|work|commits?|pull request|pr|branch|release|version)\b/iu,
    asksElsewhere: /(?<!\p{L})(?:committe\p{L}*|commite\p{L}*|veröffentlich\p{L}*)|提交|コミット/iu,
    tells:
      /\b(?:commits?|commit messages?|pull requests?|prs?|branch(?:es)?|push(?:es)?|force[- ]push\p{L}*|rebase|squash|merge|changelog|release\p{L}*|conventional commits|sign(?:ed)?[- ]off)\b|提交|コミット/iu,
  },
} as const;

type KindOfWork = keyof typeof WORK_KINDS;
const LANGUAGE_NAMES = Object.keys(WORK_KINDS) as KindOfWork[];

/** Questions request no work. */
const QUESTION_PATTERN =
  /^(?:what|why|when|where|who|whom|which|how|is|are|was|were|does|do|did|has|have|should|wer|was|wann|warum|wie|wo|welche\p{L}*|pourquoi|comment|quand|où|qui|qué|cómo|cuándo|dónde|por qué)\b[^.!]*\?\s*$/iu;

const LANGUAGES: readonly RegExp[] = [
  /\b(?:typescript|ts|tsx|javascript|js|jsx|node(?:\.?js)?|react)\b/iu,
  /\b(?:python|py|pytest|django|flask)\b/iu,
  /\b(?:rust|cargo|rs)\b/iu,
  /\b(?:golang|go (?:code|files?|modules?)|in Go)\b/u,
  /\b(?:java|kotlin|kt|gradle|maven)\b/iu,
  /\b(?:c\+\+|cpp|hpp|cmake)(?!\w)/iu,
  /\b(?:c#|csharp|dotnet|\.net)(?!\w)/iu,
  /\b(?:ruby|rails|rb)\b/iu,
  /\b(?:php|laravel)\b/iu,
  /\b(?:sql|postgres\p{L}*|mysql|sqlite)\b/iu,
  /\b(?:css|scss|sass|tailwind)\b/iu,
  /\b(?:bash|shell scripts?|sh scripts?)\b/iu,
];

function classifyRequest(prompt: string): ReadonlySet<KindOfWork> {
  if (QUESTION_PATTERN.test(prompt.trim())) return new Set();
  return new Set(
    LANGUAGE_NAMES.filter(
      (name) => WORK_KINDS[name].asks.test(prompt) || WORK_KINDS[name].asksElsewhere.test(prompt),
    ),
  );
}

/** Returns true if the instruction applies to this kind of work, even without shared words. */
function appliesTo(
  instruction: string,
  { prompt, kinds }: { readonly prompt: string; readonly kinds: ReadonlySet<KindOfWork> },
): boolean {
  const own = LANGUAGES.filter((language) => language.test(instruction));
  const requests = LANGUAGES.filter((language) => language.test(prompt));
  const isOther =
    own.length > 0 && requests.length > 0 && !own.some((one) => requests.includes(one));
  if (isOther) return false;
  if (kinds.has("code") && own.length > 0 && requests.length > 0) return true;
  return [...kinds].some((kind) => WORK_KINDS[kind].tells.test(instruction));
}

const MAX_READ = 100;
const MAX_ITEMS = 4;
const MIN_COSINE = 0.45;

export interface StandingRequest {
  readonly prompt: string;
  /** True if vector search is ready to use. */
  readonly hasVectors: boolean;
  readonly timeoutMs: number;
  readonly clock?: ExecuteOptions["clock"];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds preferences that apply to the requested kind of work, newest first. They often share no
 * word with the prompt: "use tabs" applies to "implement the parser".
 */
export async function findPreferences(
  memory: Memory,
  { prompt, hasVectors, timeoutMs, clock, signal }: StandingRequest,
): Promise<readonly ContextItem[]> {
  const kinds = classifyRequest(prompt);
  if (kinds.size === 0) return [];
  const options = { ...(signal !== undefined && { signal }), clock };
  const { items } = await memory.execute(
    "items",
    { kinds: ["episode"], type: ["preference"], limit: MAX_READ },
    options,
  );
  const alike = hasVectors
    ? await findSimilarPreferences(memory, prompt, { timeoutMs, options })
    : new Set();
  return selectItems(
    items.filter(({ id, text }) => alike.has(id) || appliesTo(text, { prompt, kinds })),
  )
    .slice(0, MAX_ITEMS)
    .map((item) => ({ ...item, why: { how: "standing" } }));
}

async function findSimilarPreferences(
  memory: Memory,
  query: string,
  { timeoutMs, options }: { timeoutMs: number; options: Pick<ExecuteOptions, "signal" | "clock"> },
): Promise<ReadonlySet<string>> {
  const { episodes } = await memory.execute(
    "recall",
    {
      ...{ query, type: ["preference"], k: 0, episode_k: MAX_ITEMS },
      ...{ timeout_ms: timeoutMs, explain: true },
    },
    options,
  );
  const nearby = episodes.filter(({ explain }) => (explain?.cosine ?? 0) >= MIN_COSINE);
  return new Set(nearby.map(({ id }) => id));
}
