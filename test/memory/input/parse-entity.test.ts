import { describe, expect, it } from "vitest";
import { parseEntity, parseEntityList } from "../../../src/memory/input/parse-entity.ts";

describe("entities", () => {
  it("folds the type and keeps the name as written", () => {
    const entity = parseEntity(" Person: Ada  Lovelace ");
    expect(entity).toEqual({ type: "person", name: "Ada  Lovelace", key: "ada lovelace" });
  });

  it("lets names hold colons and slashes", () => {
    expect(parseEntity("file:src/a:b.ts").name).toBe("src/a:b.ts");
    expect(parseEntity("module:node:fs").name).toBe("node:fs");
  });

  it("matches names without regard to case and white space, files exactly", () => {
    const key = (text: string) => parseEntity(text).key;
    expect(key("tool:GIT\t lfs")).toBe(key("tool:git lfs"));
    expect(key("person:Zoe\u0308")).toBe(key("person:zo\u00eb"));
    expect(key("file:Makefile")).not.toBe(key("file:makefile"));
    expect(key("file:a  b")).not.toBe(key("file:a b"));
  });

  it.each([
    ["ada", /Write type:name with one of the types file, function,/],
    ["persn:ada", /Did you mean "person"/],
    [":ada", /Write type:name/],
    ["person:", /has no name/],
    ["person:  ", /has no name/],
    ["", /Write type:name/],
  ])("refuses %j", (text, message) => {
    expect(() => parseEntity(text)).toThrow(message);
  });

  it("reads lists and counts an entity once, as first written", () => {
    const expected = ["Git", "a.ts"];
    const names = (list: string | string[]) => parseEntityList(list).map((entity) => entity.name);
    expect(names("tool:Git, TOOL:git,file:a.ts,")).toEqual(expected);
    expect(names(["tool:Git", "tool:GIT", "file:a.ts"])).toEqual(expected);
    expect(names("")).toEqual([]);
  });
});
