import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig } from "vitepress";

const DOCS = resolve(import.meta.dirname, "../../docs");

/** Pages of a folder by their first heading, those that are named first in that order. */
function pagesOf(folder: string, first: readonly string[] = []) {
  const names = readdirSync(join(DOCS, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replace(/\.md$/, ""))
    .filter((name) => name !== "README");
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  return names
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((name) => ({
      text: titleOf(join(DOCS, folder, `${name}.md`)),
      link: `/${folder}/${name}`,
    }));
}

function titleOf(file: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? file;
  return title.replaceAll("`", "");
}

const guides = pagesOf("guides", ["cli", "mcp-clients", "agent", "sessions", "web", "team"]);
const isForContributors = ({ link }: { link: string }) => link === "/guides/contributing";

export default defineConfig({
  title: "cairn",
  description: "The memory that coding agents share",
  // A copy of `docs`, within reach of this package's modules: `npm run build` makes it.
  srcDir: "pages",
  outDir: "../dist/site",
  cacheDir: "./.vitepress/cache",
  lang: "en",
  rewrites: { "decisions/README.md": "decisions/index.md" },
  cleanUrls: true,
  // A dead link fails the build; what lies outside of the documentation is read in the repository.
  ignoreDeadLinks: [/^[./]*\/(?:README|AGENTS|CONTRIBUTING|CHANGELOG)$/, /(?:^|\/)examples\//],
  markdown: {
    // Words such as `<name>` in the pages are text, not components.
    html: false,
    languages: [],
    languageAlias: {
      changeset: "sh",
      "sh server": "sh",
      "sh docker": "sh",
      "sh over": "sh",
      "json editor": "json",
      "ts operation": "ts",
      "ts slash-command": "ts",
      "sh over http": "sh",
    },
    // Why no test runs a block is for those who write the page.
    config: (md) => {
      md.core.ruler.before("normalize", "not-run", (state) => {
        state.src = state.src.replaceAll(/^[ \t]*<!-- not run: .* -->\n/gm, "");
      });
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Getting started", link: "/tutorial" },
      { text: "Guides", link: "/guides/mcp-clients" },
      { text: "Reference", link: "/reference/cli" },
      { text: "Concepts", link: "/concepts" },
      { text: "Playground", link: "/playground" },
    ],
    sidebar: [
      {
        text: "Getting started",
        items: [
          { text: "Memory", link: "/tutorial" },
          { text: "Agent", link: "/tutorial-agent" },
        ],
      },
      { text: "Guides", items: guides.filter((page) => !isForContributors(page)) },
      {
        text: "Reference",
        items: [
          ...pagesOf("reference", ["cli", "operations", "changeset", "settings", "rest", "mcp"]),
          { text: "Glossary", link: "/glossary" },
          { text: "Changeset playground", link: "/playground" },
        ],
      },
      {
        text: "Explanation",
        items: [
          { text: "Concepts", link: "/concepts" },
          { text: "Security", link: "/security" },
          { text: "Benchmarks", link: "/benchmarks" },
          { text: "Troubleshooting", link: "/troubleshooting" },
        ],
      },
      {
        text: "Contribute",
        collapsed: true,
        items: [...guides.filter(isForContributors)],
      },
      { text: "Decisions", collapsed: true, items: pagesOf("decisions") },
    ],
  },
});
