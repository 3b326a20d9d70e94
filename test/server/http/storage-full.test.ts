import { expect, it } from "vitest";
import { DatabasePulse } from "../../../src/app/database-pulse.ts";
import { translateSqliteError } from "../../../src/database/sqlite/sqlite-error.ts";
import { errorResponse } from "../../../src/server/http/index.ts";

it("answers a full disk with 507 storage_full", async () => {
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  const noSpace = Object.assign(new Error("write"), { code: "ENOSPC" });
  const quota = Object.assign(new Error("write"), { code: "EDQUOT" });
  const index = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_SHMSIZE" });
  const wrapped = new Error("failed", { cause: noSpace });
  for (const error of [
    translateSqliteError(full),
    translateSqliteError(index),
    noSpace,
    quota,
    wrapped,
  ]) {
    const response = errorResponse(error);
    expect(response.status).toBe(507);
    expect(await response.json()).toMatchObject({ error: { code: "storage_full" } });
  }
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
