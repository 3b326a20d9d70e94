import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addPaths,
  createPathIndex,
  type SearchProgress,
  searchPaths,
} from "../../src/shared/fuzzy-match.ts";

function search(paths: readonly string[], typed: string, most = 50): string[] {
  const index = createPathIndex();
  addPaths(index, paths);
  const found: SearchProgress = { positions: [], best: [] };
  searchPaths(index, typed, { slice: { from: 0, to: paths.length }, found, limit: most });
  return found.best.map(({ path }) => path);
}

describe("paths that are typed in part", () => {
  it.each([
    ["tsx", ["src/terminal/session/x.ts", "src/a.tsx"], "src/a.tsx"],
    [
      "termses",
      ["src/terminal/session/terminal-session.ts", "test/terms/es.md"],
      "src/terminal/session/terminal-session.ts",
    ],
    ["readme", ["docs/readme-old.md", "README.md"], "README.md"],
    ["src/ag", ["lib/src/ag.ts", "src/agent/"], "src/agent/"],
    ["hl", ["shell/x.ts", "src/agent/edits/hash-line.ts"], "src/agent/edits/hash-line.ts"],
  ])("%j finds the best first", (typed, paths, best) => {
    expect(search(paths, typed)[0]).toBe(best);
  });

  it("finds nothing if a character is missing or out of order", () => {
    expect(search(["src/main.ts"], "mian")).toEqual([]);
    expect(search(["src/main.ts"], "z")).toEqual([]);
  });

  it("offers shallow paths for an empty query", () => {
    expect(search(["a/b/c.ts", "z.ts", "a/"], "")[0]).toBe("a/");
  });

  it("finds exactly the paths that contain the characters in order", () => {
    const text = fc.string({ unit: fc.constantFrom(..."abcABC019/._-é"), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), text, (paths, typed) => {
        const inOrder = new RegExp(
          [...typed.toLowerCase()].map((sign) => sign.replace(/[.]/g, "\\.")).join("[\\s\\S]*"),
        );
        const expected = paths.filter((path) => inOrder.test(path.toLowerCase()));
        expect(search(paths, typed, 100).sort()).toEqual(expected.sort());
      }),
    );
  });
});
