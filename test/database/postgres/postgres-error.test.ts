import { expect, it } from "vitest";
import { translatePostgresError } from "../../../src/database/postgres/postgres-error.ts";

it.each(["42P05", "26000"])("names the option for a pooler on error %s", (code) => {
  const error = Object.assign(new Error('prepared statement "cairn_x" already exists'), {
    code,
    severity: "ERROR",
  });
  expect(translatePostgresError(error)).toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("?pgbouncer=true"),
  });
});
