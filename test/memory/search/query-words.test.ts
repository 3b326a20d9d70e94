import { describe, expect, it } from "vitest";
import { namesIn } from "../../../src/memory/recall/match-entities.ts";
import { withoutPeople } from "../../../src/memory/recall/prepare-recall.ts";
import { queryWords } from "../../../src/memory/search/query-words.ts";

describe("the words of a query", () => {
  it("are distinct, in lower case, without stop words", () => {
    expect(queryWords("What did the CACHE do to the cache?")).toEqual(["cache"]);
    expect(queryWords("What is this?")).toEqual([]);
    expect(queryWords("meet in May")).toEqual(["meet", "may"]);
  });

  it("hold the parts of identifiers too", () => {
    expect(queryWords("parseChangeset HTTPServer")).toEqual([
      "parsechangeset",
      "httpserver",
      "parse",
      "changeset",
      "http",
      "server",
    ]);
  });

  it("are pairs of characters where a script has no spaces", () => {
    expect(queryWords("記憶庫 redis")).toEqual(["記 憶", "憶 庫", "redis"]);
    expect(queryWords("庫")).toEqual(["庫"]);
  });

  it("are at most 64", () => {
    const long = Array.from({ length: 200 }, (_, n) => `word${n}`).join(" ");
    expect(queryWords(long)).toHaveLength(64);
  });
});

describe("the names in a query", () => {
  it("are its runs of up to five words, as written and folded", () => {
    const { keys } = namesIn("Ask Ada Lovelace's friend about src/App.ts, please");
    expect(keys).toEqual(expect.arrayContaining(["ada lovelace", "src/App.ts", "friend"]));
  });

  it("may carry their type", () => {
    expect(namesIn("Is File:src/App.ts red?").typed).toContainEqual({
      type: "file",
      key: "src/App.ts",
    });
    expect(namesIn("tool:the").typed).toContainEqual({ type: "tool", key: "the" });
  });

  it("are never stop words alone", () => {
    expect(namesIn("What is it?").keys).toEqual([]);
  });
});

describe("a query without the names of people", () => {
  const person = (name: string) => ({ id: 1, type: "person", name, key: name, createdAt: "" });

  it("loses whole names and their genitive, in any case", () => {
    expect(withoutPeople("When did ada's team meet Adam?", [person("Ada")])).toBe(
      "When did  team meet Adam?",
    );
    expect(withoutPeople("Ask Ada  Lovelace now", [person("Ada Lovelace")])).toBe("Ask  now");
  });

  it("stays whole when nothing else is asked, or no person is named", () => {
    expect(withoutPeople("Who is Ada?", [person("Ada")])).toBe("Who is Ada?");
    expect(withoutPeople("redis cache", [{ ...person("redis"), type: "tool" }])).toBe(
      "redis cache",
    );
  });

  it("takes signs in a name for themselves", () => {
    expect(withoutPeople("Does J.R. (Bob) row?", [person("J.R. (Bob)")])).toBe(
      "Does J.R. (Bob) row?".replace("J.R. (Bob)", ""),
    );
  });
});
