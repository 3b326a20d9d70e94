import { describe, expect, it } from "vitest";
import { findNames } from "../../../src/memory/recall/match-entities.ts";
import { parseQueryWords } from "../../../src/memory/search/query-words.ts";

describe("the words of a query", () => {
  it("are distinct, in lower case, without stop words", () => {
    expect(parseQueryWords("What did the CACHE do to the cache?")).toEqual(["cache"]);
    expect(parseQueryWords("What is this?")).toEqual([]);
    expect(parseQueryWords("meet in May")).toEqual(["meet", "may"]);
  });

  it("include the parts of identifiers", () => {
    expect(parseQueryWords("parseChangeset HTTPServer")).toEqual([
      "parsechangeset",
      "httpserver",
      "parse",
      "changeset",
      "http",
      "server",
    ]);
  });

  it("are pairs of characters where a script has no spaces", () => {
    expect(parseQueryWords("記憶庫 redis")).toEqual(["記 憶", "憶 庫", "redis"]);
    expect(parseQueryWords("庫")).toEqual(["庫"]);
  });

  it("are at most 64", () => {
    const long = Array.from({ length: 200 }, (_, n) => `word${n}`).join(" ");
    expect(parseQueryWords(long)).toHaveLength(64);
  });
});

describe("the names in a query", () => {
  it("are sequences of up to five words, as written and normalized", () => {
    const { keys } = findNames("Ask Ada Lovelace's friend about src/App.ts, please");
    expect(keys).toEqual(expect.arrayContaining(["ada lovelace", "src/App.ts", "friend"]));
  });

  it("may include their type", () => {
    expect(findNames("Is File:src/App.ts red?").typed).toContainEqual({
      type: "file",
      key: "src/App.ts",
    });
    expect(findNames("tool:the").typed).toContainEqual({ type: "tool", key: "the" });
  });

  it("are never stop words alone", () => {
    expect(findNames("What is it?").keys).toEqual([]);
  });
});
