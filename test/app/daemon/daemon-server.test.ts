import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { DaemonServer } from "../../../src/app/daemon/daemon-server.ts";

it("ends once no request arrived for the idle time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-idle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const former = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(former));
  let server: DaemonServer | undefined;
  const ended = new Promise<string>((resolve) => {
    server = new DaemonServer({
      folder,
      program: fileURLToPath(import.meta.url),
      version: "0.0.0",
      answer: () => Promise.reject(new Error("Nobody asks.")),
      idleMs: 20,
      onRest: () => undefined,
      onEnd: () => resolve("ended"),
    });
  });
  expect(await server?.listen()).toBe(true);
  expect(await ended).toBe("ended");
});
