import { describe, expect, it } from "vitest";
import { displayLocation } from "../../src/shared/files.ts";

describe("a displayed location", () => {
  it("is relative to the home folder", () => {
    expect(displayLocation("/home/ada/.cairn/databases", "/home/ada")).toBe("~/.cairn/databases");
  });

  it("has no absolute path elsewhere", () => {
    expect(displayLocation("/srv/secret/databases", "/home/ada")).toBe("…/databases");
    expect(displayLocation("/home/ada", "/home/ada")).toBe("…/ada");
  });

  it("is an unchanged URL", () => {
    const address = "postgres://db.example:5432/cairn";
    expect(displayLocation(address, "/home/ada")).toBe(address);
  });
});
