import { describe, expect, it } from "vitest";
import { parsePostgresAddress } from "../../../src/database/index.ts";

const refusal = (text: string): string => {
  try {
    parsePostgresAddress(text);
  } catch (error) {
    return String(error);
  }
  throw new Error(`${text} was expected to be refused`);
};

describe("the address of a PostgreSQL server", () => {
  it("is shown without its user and password", () => {
    const address = parsePostgresAddress("postgres://ada:s3cr%20et@db.example:5433/shop");
    expect(address.shown).toBe("postgres://db.example:5433/shop");
    expect(address.url).toContain("s3cr%20et");
  });

  it("may name the schema in which the names of databases are kept", () => {
    const address = parsePostgresAddress("postgresql://h/shop?schema=team_a&sslmode=require");
    expect(address).toMatchObject({ schema: "team_a", shown: "postgres://h/shop?schema=team_a" });
    expect(address.url).toBe("postgresql://h/shop");
    expect(address.tls).toMatchObject({ mode: "require" });
  });

  it.each([
    ["shop.db", "must be an address of PostgreSQL"],
    ["mysql://ada:s3cret@h/shop", "must be an address of PostgreSQL"],
    ["postgres://ada:s3cret@h", "names no database"],
    ["postgres://ada:s3cret@h/", "names no database"],
    ["postgres://ada:s3cret@h/shop?schema=Team-A", "schema is"],
    ["postgres://ada:s3cret@h/shop?schema=pg_own", "schema is"],
    ["postgres://ada:s3cret@h/shop?sslmode=prefer", "sslmode is disable, require, "],
    ["postgres://ada:s3cret@h/shop?ssl=true", "says ssl; choose sslmode="],
    ["postgres://ada:s3cret@h/shop?sslmode=verify-ca", "sslmode=verify-ca needs sslrootcert"],
    ["postgres://ada:s3cret@h/shop?sslcert=a.pem", "sslcert and sslkey go together"],
  ])("%s is refused, with the field and the cure but not the password", (text, why) => {
    expect(refusal(text)).toContain(`database: ${why}`);
    expect(refusal(text)).not.toContain("s3cret");
  });
});
