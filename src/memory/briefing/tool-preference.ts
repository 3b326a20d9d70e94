/** Groups of alternative programs, of which a project typically uses one. */
const PROGRAM_GROUPS: readonly (readonly string[])[] = [
  ["npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx"],
  ["pip", "pip3", "uv", "poetry", "pipenv", "conda", "mamba", "pdm", "rye", "hatch"],
  ["jest", "vitest", "mocha", "ava", "jasmine"],
  ["pytest", "unittest", "nose2", "tox", "nox"],
  ["eslint", "biome", "oxlint", "standard", "tslint", "xo"],
  ["prettier", "biome", "dprint"],
  ["ruff", "flake8", "pylint"],
  ["black", "yapf", "autopep8"],
  ["mypy", "pyright", "pytype", "ty"],
  ["make", "just", "task", "mage", "ninja", "bazel"],
  ["mvn", "mvnw", "gradle", "gradlew", "ant", "sbt"],
  ["docker", "podman", "nerdctl"],
  ["docker-compose", "docker", "podman-compose"],
  ["kubectl", "helm", "kustomize", "helmfile"],
  ["terraform", "tofu", "pulumi"],
  ["nvm", "fnm", "volta", "asdf", "mise", "nodenv"],
  ["webpack", "vite", "rollup", "parcel", "esbuild", "turbopack"],
  ["tsc", "tsgo", "swc", "babel", "tsx", "ts-node"],
  ["bundle", "gem"],
  ["composer", "pear"],
  ["git", "jj", "hg", "svn"],
  ["cypress", "playwright", "puppeteer", "selenium"],
  ["psql", "pgcli", "mysql", "sqlite3"],
  ["grep", "rg", "ag", "ack"],
];

const AMBIGUOUS_PROGRAMS = new Set(
  "just make task black ant hatch rye mage parcel bundle composer standard helm ack ag ty go".split(
    " ",
  ),
);

const isOrdinaryWord = (program: string): boolean => AMBIGUOUS_PROGRAMS.has(program);

export function findAlternatives(program: string): readonly string[] {
  const kinds = PROGRAM_GROUPS.filter((kind) => kind.includes(program));
  return [...new Set(kinds.flat())].filter((other) => other !== program);
}

const REFUSING_PREFIX =
  /(?:\b(?:not|never|no|without|avoid|stop(?:ped)? using|instead of|rather than|replac(?:e|es|ed|ing)|away from|drop(?:ped)?|don['’]t(?: ever)?|do not(?: ever)?|nicht|nie|niemals|keine?n?|statt|anstatt|pas|jamais|au lieu de|en lugar de|nunca|en vez de|non|mai|invece di|não|niet|nooit|in plaats van|nie|zamiast)|не|вместо|никогда не|不要|别|而不是|不用)\s*(?:(?:use|using|run|running|with|the|de|mit|plain) |使?用\s*)*["'`]?$/iu;
const REFUSING_SUFFIX =
  /^["'`]?\s+(?:(?:is|are|must|should|may|was) )?(?:not (?:to )?be used|n['’]t be used|(?:is )?(?:forbidden|not allowed|banned))\b/iu;
const USING_PREFIX =
  /(?:^|(?:\b(?:use|uses|using|run|runs|with|prefer|prefers|via|through|is|always|only|switch(?:ed)? to|mov(?:e|ed) to|benutz\p{L}*|verwende\p{L}*|nutze\p{L}*|mit|immer|nur|utilis\p{L}*|avec|toujours|usa\p{L}*|con|siempre|sempre|gebruik\p{L}*|altijd|używa\p{L}*|zawsze)|использ\p{L}*|[:：用])\s*(?:only |always |the |our |use |run )*)["'`]?$/iu;

/** `this`: prefer this program; `other`: avoid it or prefer an alternative. */
export type ToolPreference = "this" | "other";

/** Derives a tool preference from a statement; undefined if it states none. */
export function findToolPreference(text: string, program: string): ToolPreference | undefined {
  const own = findProgram(text, program);
  if (own.some((index) => isRefused(text, index, program))) return "other";
  const others = findAlternatives(program).flatMap((other) =>
    findProgram(text, other).map((index) => ({ other, place: index })),
  );
  if (others.some(({ other, place: index }) => isRefused(text, index, other))) {
    return own.length > 0 ? "this" : undefined;
  }
  if (own.length > 0) return own.some((index) => isUsed(text, index)) ? "this" : undefined;
  return others.some(({ place: index }) => isUsed(text, index)) ? "other" : undefined;
}

/** Returns true if the text forbids the word: `never`, `instead of`, `is not allowed`. */
export function isWordRefused(text: string, word: string): boolean {
  return findProgram(text, word).some((index) => isRefused(text, index, word));
}

function isRefused(text: string, index: number, program: string): boolean {
  const end = index + program.length;
  return (
    REFUSING_PREFIX.test(text.slice(Math.max(0, index - 40), index)) ||
    REFUSING_SUFFIX.test(text.slice(end))
  );
}

function isUsed(text: string, index: number): boolean {
  return USING_PREFIX.test(text.slice(0, index));
}

/** Matches whole names: not `npm` in `pnpm` or `npm-check`, nor versions such as `Python 2`. */
function findProgram(text: string, program: string): number[] {
  const escaped = program.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const quote = isOrdinaryWord(program) ? "`" : "";
  const name = `${quote === "" ? "(?<![\\p{L}\\p{N}_./-])" : "(?<=`)"}${escaped}`;
  const pattern = new RegExp(`${name}(?![\\p{Ll}\\p{N}_/-]|\\s+v?\\d)`, "giu");
  return [...text.matchAll(pattern)].map(({ index }) => index);
}
