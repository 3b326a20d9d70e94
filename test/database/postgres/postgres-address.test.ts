import { describe, expect, it } from "vitest";
import { parsePostgresAddress } from "../../../src/database/index.ts";

const parseError = (text: string): string => {
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
    expect(address.urls).toEqual([expect.stringContaining("s3cr%20et")]);
  });

  it("may name the schema of database names", () => {
    const address = parsePostgresAddress("postgresql://h/shop?schema=team_a&sslmode=require");
    expect(address).toMatchObject({ schema: "team_a", shown: "postgres://h/shop?schema=team_a" });
    expect(address.urls).toEqual(["postgresql://h/shop"]);
    expect(address.tls).toMatchObject({ mode: "require" });
  });

  it("may name several hosts, of which the primary is used", () => {
    const address = parsePostgresAddress("postgres://ada:s3cret@a:5433,b,[::1]:5434/shop?schema=t");
    expect(address.urls).toEqual([
      "postgres://ada:s3cret@a:5433/shop",
      "postgres://ada:s3cret@b/shop",
      "postgres://ada:s3cret@[::1]:5434/shop",
    ]);
    expect(address).toMatchObject({
      shown: "postgres://a:5433,b,[::1]:5434/shop?schema=t",
      mustWrite: true,
    });
    const any = parsePostgresAddress("postgres://a,b/shop?target_session_attrs=any");
    expect([any.mustWrite, any.urls]).toEqual([false, ["postgres://a/shop", "postgres://b/shop"]]);
    const one = parsePostgresAddress("postgres://a/shop?target_session_attrs=read-write");
    expect(one.mustWrite).toBe(true);
  });

  it("may be that of a pooler", () => {
    const address = parsePostgresAddress("postgres://a:6432/shop?pgbouncer=true");
    expect(address).toMatchObject({ isPooled: true, urls: ["postgres://a:6432/shop"] });
    expect(parsePostgresAddress("postgres://a/shop").isPooled).toBe(false);
  });

  it.each([
    ["postgres://ada:s3cret@h,,i/shop", "must be a PostgreSQL address"],
    ["postgres://ada:s3cret@h,i:port/shop", "must be a PostgreSQL address"],
    ["postgres://ada:s3cret@h,i", "must name a database"],
    ["postgres://ada:s3cret@h/shop?target_session_attrs=standby", "target_session_attrs is any"],
    ["shop.db", "must be a PostgreSQL address"],
    ["mysql://ada:s3cret@h/shop", "must be a PostgreSQL address"],
    ["postgres://ada:s3cret@h", "must name a database"],
    ["postgres://ada:s3cret@h/", "must name a database"],
    ["postgres://ada:s3cret@h/shop?schema=Team-A", "schema must be"],
    ["postgres://ada:s3cret@h/shop?schema=pg_own", "schema must be"],
    ["postgres://ada:s3cret@h/shop?sslmode=prefer", "sslmode is disable, require, "],
    ["postgres://ada:s3cret@h/shop?ssl=true", "contains ssl; use sslmode="],
    ["postgres://ada:s3cret@h/shop?sslmode=verify-ca", "sslmode=verify-ca needs sslrootcert"],
    ["postgres://ada:s3cret@h/shop?sslcert=a.pem", "sslcert and sslkey must be set together"],
  ])("%s is refused, with the field and the cure but not the password", (text, why) => {
    expect(parseError(text)).toContain(`database: ${why}`);
    expect(parseError(text)).not.toContain("s3cret");
  });
});
