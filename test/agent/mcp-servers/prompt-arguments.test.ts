import { expect, it } from "vitest";
import { promptArguments, toolName } from "../../../src/agent/mcp-servers/mcp-servers.ts";
import { expandVariables } from "../../../src/agent/mcp-servers/open-transport.ts";

const declared = [{ name: "city", required: true }, { name: "note" }];

it("assigns words to arguments in order, the rest to the last", () => {
  expect(promptArguments("Oslo mild and wet", declared)).toEqual({
    city: "Oslo",
    note: "mild and wet",
  });
  expect(promptArguments('"New York" a', declared)).toEqual({ city: "New York", note: "a" });
});

it("accepts named arguments, and leaves other words unchanged", () => {
  expect(promptArguments("note=late city='Den Haag'", declared)).toEqual({
    city: "Den Haag",
    note: "late",
  });
  expect(promptArguments("x=1", declared)).toEqual({ city: "x=1" });
});

it("names the argument that is missing", () => {
  expect(() => promptArguments("", declared)).toThrow('"city" is missing');
  expect(promptArguments("anything", [])).toEqual({});
});

it("substitutes variables with defaults, and names a missing one", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the configuration.
  expect(expandVariables("${A}-${B:-b}", { A: "a" })).toBe("a-b");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the configuration.
  expect(() => expandVariables("${A}", {})).toThrow("The variable A is not set");
});

it("keeps names unique and within the providers' limits", () => {
  const long = "x".repeat(80);
  expect(toolName("my.server", "do it")).toBe("mcp__my_server__do_it");
  expect(toolName("s", `${long}a`)).toHaveLength(64);
  expect(toolName("s", `${long}a`)).not.toBe(toolName("s", `${long}b`));
});
