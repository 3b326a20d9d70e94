import { describe, expect, it } from "vitest";
import { shownPlace } from "../../src/shared/files.ts";

describe("a place in an answer", () => {
  it("is told from the home folder on", () => {
    expect(shownPlace("/home/ada/.cairn/databases", "/home/ada")).toBe("~/.cairn/databases");
  });

  it("has no absolute path elsewhere", () => {
    expect(shownPlace("/srv/secret/databases", "/home/ada")).toBe("…/databases");
    expect(shownPlace("/home/ada", "/home/ada")).toBe("…/ada");
  });

  it("is an address as it is", () => {
    const address = "postgres://db.example:5432/cairn";
    expect(shownPlace(address, "/home/ada")).toBe(address);
  });
});
