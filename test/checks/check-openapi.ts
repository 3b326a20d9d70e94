/**
 * `npm run check:openapi`: lints the OpenAPI document with Spectral, generates types from it with
 * openapi-typescript, and compiles them with a program that uses them. The tools come by npx.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryServer } from "../support/memory-server.ts";
import { runTool } from "./run-tool.ts";

const SPECTRAL = "@stoplight/spectral-cli@6.16.3";
const OPENAPI_TYPESCRIPT = "openapi-typescript@7.13.0";

const USE = `import type { components, paths } from "./types.js";

type Recall = paths["/api/v1/recall"]["post"];
export const asked: Recall["requestBody"]["content"]["application/json"] = { query: "tea" };
export const first = (answer: Recall["responses"]["200"]["content"]["application/json"]) =>
  answer.episodes[0] satisfies components["schemas"]["Episode"] | undefined;
`;

const folder = mkdtempSync(join(tmpdir(), "cairn-openapi-"));
try {
  const document = join(folder, "openapi.json");
  const server = await memoryServer();
  const response = await fetch(`${server.url}/api/v1/openapi.json`);
  writeFileSync(document, await response.text());
  await server.end();
  const ruleset = join(folder, "spectral.yaml");
  writeFileSync(ruleset, "extends: [[spectral:oas, all]]\n");
  writeFileSync(join(folder, "use.ts"), USE);
  const types = join(folder, "types.ts");
  process.exitCode = await firstFailure([
    ["npx", "-y", SPECTRAL, "lint", document, "--ruleset", ruleset, "--fail-severity", "warn"],
    ["npx", "-y", OPENAPI_TYPESCRIPT, document, "-o", types, "--default-non-nullable=false"],
    [
      ...["npx", "tsc", "--noEmit", "--strict", "--skipLibCheck", "--types", ""],
      ...["--module", "nodenext", "--target", "es2022", join(folder, "use.ts")],
    ],
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function firstFailure(commands: readonly (readonly string[])[]): Promise<number> {
  for (const [program = "", ...args] of commands) {
    const code = await runTool(program, args);
    if (code !== 0) return code;
  }
  return 0;
}
