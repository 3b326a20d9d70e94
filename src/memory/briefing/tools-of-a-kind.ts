/** Programs of which a project uses one: whoever runs another of them may not know which. */
const KINDS: readonly (readonly string[])[] = [
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

const ALSO_WORDS = new Set(
  "just make task black ant hatch rye mage parcel bundle composer standard helm ack ag ty go".split(
    " ",
  ),
);

export const isAlsoWord = (program: string): boolean => ALSO_WORDS.has(program);

/** The others that do what the program does. */
export function othersOfItsKind(program: string): readonly string[] {
  const kinds = KINDS.filter((kind) => kind.includes(program));
  return [...new Set(kinds.flat())].filter((other) => other !== program);
}
