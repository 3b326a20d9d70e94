import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SNAPSHOT_SCOPES } from "../../../src/memory/snapshot/registry.ts";
import { parseScopes as parse } from "../../../src/memory/snapshot/snapshot.ts";

const parseScopes = (scopes: string | string[]) =>
  parse(scopes, SNAPSHOT_SCOPES).map((it) =>
    "error" in it ? it : { ...it, scope: it.scope.name },
  );

const keys = (scopes: string | string[]) => parseScopes(scopes).map((scope) => scope.key);

describe("scopes in one text", () => {
  it.each([
    ["pending conflicts", ["pending", "conflicts"]],
    [" pending,stats , labels\n", ["pending", "stats", "labels"]],
    ["entity:file:src/a.ts,recent:5", ["entity:file:src/a.ts", "recent:5"]],
    ["query:how do we log", ["query:how do we log"]],
    ["query:a, b and c, stats", ["query:a, b and c", "stats"]],
    ["query:what is pending stats", ["query:what is pending stats"]],
    ["query:tell, statsd is not stats", ["query:tell, statsd is not stats"]],
    ["query:a,query:b", ["query:a", "query:b"]],
    ["query:a, entity:tool:git recent:2", ["query:a", "entity:tool:git", "recent:2"]],
    ['query:what\'s pending, "conflicts"', ["query:what's pending", "conflicts"]],
    ["label:team=core pending", ["label:team=core", "pending"]],
    ["label:team=core data, pending", ["label:team=core data", "pending"]],
    ["label:a=b c,label:d=e", ["label:a=b c", "label:d=e"]],
    ["stats label:a=b,", ["stats", "label:a=b"]],
    ['"query:a, pending" stats', ["query:a, pending", "stats"]],
    ['query:"a, pending" stats', ["query:a, pending", "stats"]],
    ['query:"a" or "b", stats', ['query:"a" or "b"', "stats"]],
    [String.raw`'label:a=b pending',"query:x\"y\\z"`, ["label:a=b pending", 'query:x"y\\z']],
    ['entity:person:"Ada Lovelace" stats', ["entity:person:Ada Lovelace", "stats"]],
    [
      "entity:person:O'Brien entity:person:O'Neil",
      ["entity:person:O'Brien", "entity:person:O'Neil"],
    ],
    ["stats stats,stats", ["stats"]],
    ["", []],
    [" , ,", []],
  ])("%j", (text, expected) => {
    expect(keys(text)).toEqual(expected);
  });

  it("distinguishes scope and argument", () => {
    expect(parseScopes("events events:7,bootstrap:0 query: a  b ")).toEqual([
      { key: "events", scope: "events", argument: "" },
      { key: "events:7", scope: "events", argument: "7" },
      { key: "bootstrap:0", scope: "bootstrap", argument: "0" },
      { key: "query: a  b", scope: "query", argument: "a  b" },
    ]);
  });
});

describe("scopes in an array", () => {
  it("does not split elements", () => {
    const scopes = [
      "query:a, pending, stats",
      "label:a=b,c d",
      " stats ",
      "entity:person:Ada Lovelace",
    ];
    expect(keys(scopes)).toEqual(scopes);
    expect(parseScopes(scopes).every((scope) => "scope" in scope)).toBe(true);
  });
});

describe("wrong scopes", () => {
  it.each([
    ["pendin", /Unknown scope "pendin"\. Did you mean "pending"/],
    ["", /Unknown scope/],
    ["__proto__", /Unknown scope/],
    ["conflicts:1", /takes no argument/],
    ["pending:0", /at least 1/],
    ["recent", /Write recent:<n>/],
    ["recent:", /Write recent:<n>/],
    ["recent:0", /at least 1/],
    ["recent:5.0", /whole number/],
    ["events:-1", /at least 0/],
    ["bootstrap:x", /whole number/],
    ["query:  ", /Write query:<text>/],
    ["label:team", /Write key=value/],
    ["entity", /Write entity:<type>:<name>/],
    ['"stats', /Unknown scope/],
  ])("%j is an error of its own", (key, message) => {
    const [faulty, fine] = parseScopes([key, "stats"]);
    expect(faulty).toMatchObject({ key, error: { code: "invalid_input" } });
    expect(faulty && "error" in faulty ? faulty.error.message : "").toMatch(message);
    expect(fine).toMatchObject({ scope: "stats" });
  });
});

describe("any text", () => {
  it("reads quoted scopes back exactly", () => {
    const scope = fc
      .tuple(
        fc.constantFrom("query:", "label:k=", "entity:other:", "concept:"),
        fc.string({ unit: "binary" }),
      )
      .map(([name, argument]) => `${name}${argument}`);
    const quote = (text: string) => `"${text.replace(/[\\"]/g, "\\$&")}"`;
    fc.assert(
      fc.property(fc.uniqueArray(scope), fc.constantFrom(" ", ",", ", "), (scopes, separator) => {
        // Quoted keys preserve whitespace, so no case needs trimming.
        expect(keys(scopes.map(quote).join(separator))).toEqual(scopes);
      }),
    );
  });

  it("never throws and always ends", () => {
    const unit = fc.constantFrom(
      "query:",
      "label:a=b",
      "stats",
      '"',
      "'",
      ",",
      " ",
      ":",
      "\\",
      "x",
      "\n",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        expect(keys(text).every((key) => key !== "" || /["']/.test(text))).toBe(true);
      }),
    );
  });

  it("splits a megabyte of separators and quotes without delay", () => {
    const started = performance.now();
    parseScopes(`${'query:"a,'.repeat(50_000)} ${"stats ".repeat(20_000)}`);
    expect(performance.now() - started).toBeLessThan(6_000);
  });
});
