import { constants } from "node:os";
import { expect, it } from "vitest";
import { DatabasePulse } from "../../../src/app/database-pulse.ts";
import { translateSqliteError } from "../../../src/database/sqlite/sqlite-error.ts";
import { errorResponse } from "../../../src/server/http/index.ts";

it("answers a full disk with 507 storage_full", async () => {
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  const noSpace = Object.assign(new Error("write"), { code: "ENOSPC" });
  const index = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_SHMSIZE" });
  const wrapped = new Error("failed", { cause: noSpace });
  for (const error of [
    translateSqliteError(full, "/none/a.db"),
    translateSqliteError(index, "/none/a.db"),
    noSpace,
    exhaustedQuota(),
    wrapped,
  ]) {
    const response = errorResponse(error);
    expect(response.status).toBe(507);
    expect(await response.json()).toMatchObject({ error: { code: "storage_full" } });
  }
});

/** Node.js has no code for it. */
const exhaustedQuota = () =>
  Object.assign(new Error("Unknown system error, write"), {
    errno: -constants.errno.EDQUOT,
    code: `Unknown system error -${constants.errno.EDQUOT}`,
  });

it.each([
  [exhaustedQuota(), "SQLITE_IOERR_WRITE", "storage_full", "quota"],
  [exhaustedQuota(), "SQLITE_IOERR_SHMSIZE", "storage_full", "quota"],
  [Object.assign(new Error(), { code: "ENOSPC" }), "SQLITE_IOERR_FSYNC", "storage_full", "full"],
  [undefined, "SQLITE_IOERR_WRITE", "internal", "health"],
])("reports the lack of space behind %s, %s", (lack, code, expected, words) => {
  const error = Object.assign(new Error("disk I/O error"), { code });
  expect(translateSqliteError(error, "/none/a.db", () => lack)).toMatchObject({
    code: expected,
    message: expect.stringContaining(words),
  });
});

it("is not ready after a full disk until a write succeeds", async () => {
  const pulse = new DatabasePulse({
    isReadOnly: false,
    status: async () => ({ state: "ok", message: "" }),
  });
  expect(await pulse.isReady()).toBe(true);
  pulse.recordResponse({ method: "POST", status: 507 });
  expect(await pulse.isReady()).toBe(false);
  pulse.recordResponse({ method: "GET", status: 200 });
  expect(await pulse.isReady()).toBe(false);
  pulse.recordResponse({ method: "POST", status: 200 });
  expect(await pulse.isReady()).toBe(true);
});
