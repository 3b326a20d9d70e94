import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/shared/package.ts";

const WAY_TO_SLEEP =
  /(?<!")\bsetTimeout\b|\bAtomics\.wait\(|\bwaitForTimeout\(|\bscheduler\.wait\(|\{[^}]*\bsleep\b[^}]*\} from ".*shared\/async\.ts"/;

/** The two wait helpers, and timers that no test waits for. */
const ALLOWED: Readonly<Record<string, string>> = {
  "support/wait-until.ts": "waits for a fact",
  "support/wait-fixed-time.ts": "waits a fixed time, and says why",
  "support/postgres/test-database.ts": "waits for a database where nothing may be awaited",
  "support/tcp-proxy.ts": "delays what it carries",
  "support/ui-client.ts": "a limit",
  "support/mixed-load.ts": "a limit",
  "clients/try-real-clients.ts": "a limit",
  "web/components/suspense.test.ts": "replaces the timers of a page",
};

it("waits for a condition or states the reason of a fixed delay", () => {
  const folder = join(packageRoot(), "test");
  const sleeping = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => WAY_TO_SLEEP.test(readFileSync(join(folder, file), "utf8")))
    .map((file) => file.replaceAll("\\", "/"));
  // Tests wait with `waitUntil` or `waitFixedTime`, see test/support.
  expect(sleeping.sort()).toEqual(Object.keys(ALLOWED).sort());
});
