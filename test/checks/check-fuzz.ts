/**
 * `npm run check:fuzz [-- OPTION...]`: schemathesis makes requests from the OpenAPI document and
 * holds the answers against it. Without a `schemathesis` on the PATH it is installed from PyPI into
 * a folder that is removed afterwards. Options are those of `schemathesis run`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryServer } from "../support/memory-server.ts";
import { runTool } from "./run-tool.ts";

const SCHEMATHESIS = "schemathesis>=4.32,<5";

const folder = mkdtempSync(join(tmpdir(), "cairn-fuzz-"));
const server = await memoryServer();
try {
  const program = await schemathesis();
  const url = `${server.url}/api/v1/openapi.json`;
  const options = ["--checks", "all", "--generation-deterministic", ...process.argv.slice(2)];
  process.exitCode = await runTool(program, ["run", url, ...options], folder);
  const told = server.logged.map((line) => `${line}\n`).join("");
  process.stderr.write(told);
  if (told !== "") process.exitCode = 1;
} finally {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
}

async function schemathesis(): Promise<string> {
  if (spawnSync("schemathesis", ["--version"], { stdio: "ignore" }).status === 0) {
    return "schemathesis";
  }
  const made = await runTool("python3", ["-m", "venv", folder]);
  const installed =
    made === 0 && (await runTool(join(folder, "bin", "pip"), ["install", "-q", SCHEMATHESIS]));
  if (installed !== 0)
    throw new Error("schemathesis cannot be installed: is there a python3 with venv?");
  return join(folder, "bin", "schemathesis");
}
