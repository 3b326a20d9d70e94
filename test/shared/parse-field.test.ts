import { describe, expect, it } from "vitest";
import { z } from "zod";
import { loadConfig } from "../../src/config/index.ts";
import { fieldKind, getMeta, withMeta } from "../../src/shared/fields.ts";
import { parseField } from "../../src/shared/parse-field.ts";
import { createConfigFolders } from "../config/config-folders.ts";

/** Text and its value as integer, number and boolean; undefined means rejected. */
const SPELLINGS = [
  ["007", undefined, undefined, undefined],
  ["1e-1", undefined, 0.1, undefined],
  ["1", 1, 1, undefined],
  ["true", undefined, undefined, true],
  ["9007199254740993", undefined, 9007199254740992, undefined],
] as const;

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

describe("a value written as text", () => {
  it.each(SPELLINGS)("%s is parsed identically everywhere", (text, integer, number, boolean) => {
    expect(attempt(() => parseField("integer", text, "x"))).toBe(integer);
    expect(attempt(() => parseField("number", text, "x"))).toBe(number);
    expect(attempt(() => parseField("boolean", text, "x"))).toBe(boolean);
    const paths = createConfigFolders();
    const setting = (key: string, variable: string) =>
      attempt(() => {
        const { settings } = loadConfig({ ...paths, env: { ...paths.env, [variable]: text } });
        return settings[key as keyof typeof settings];
      });
    expect(setting("allowOutsideProject", "CAIRN_ALLOW_OUTSIDE_PROJECT")).toBe(boolean);
    expect(setting("handoverThreshold", "CAIRN_HANDOVER_THRESHOLD")).toBe(
      number !== undefined && number <= 1 ? number : undefined,
    );
  });
});

describe("metadata of a field", () => {
  it("survives descriptions, checks, defaults and pipes", () => {
    const ids = withMeta(z.string().pipe(z.string().min(1)), { names: "fact" });
    for (const field of [ids, ids.describe("x"), ids.optional().describe("x"), ids.default("a")]) {
      expect(getMeta(field)).toEqual({ names: "fact" });
      expect(fieldKind(field)).toBe("text");
    }
    expect(getMeta(z.string())).toEqual({});
  });
});
