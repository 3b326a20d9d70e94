import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Paths in backticks that start with a repository folder. */
function pathsIn(text: string): readonly string[] {
  const quoted = text.matchAll(
    /`((?:\.ci|src|docs|test|bench|scripts|examples|drizzle)\/[^\s`]*)`/g,
  );
  return [...quoted].flatMap(([, path = ""]) => alternatives(path)).map(fixedPart);
}

/** Expands `a/{b,c}/d` to `a/b/d` and `a/c/d`. */
function alternatives(path: string): readonly string[] {
  const [all, inside = ""] = /\{([^}]*)\}/.exec(path) ?? [];
  return all === undefined ? [path] : inside.split(",").map((one) => path.replace(all, one));
}

/** Strips placeholders: `src/cli/commands/<name>.ts` → `src/cli/commands`. */
function fixedPart(path: string): string {
  return path.replace(/\/[^/]*<.*$/, "");
}

it.each(["AGENTS.md", "CONTRIBUTING.md", "docs/glossary.md"])(
  "every path that %s names exists",
  (page) => {
    const paths = pathsIn(readFileSync(page, "utf8"));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  },
);
