/**
 * `npm run check:openapi`: lints the OpenAPI document with Spectral, generates types with
 * openapi-typescript, and compiles a program that uses them. Runs the tools with npx.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveMemory } from "../support/memory-server.ts";
import { runTool } from "./run-tool.ts";

const SPECTRAL = "@stoplight/spectral-cli@6.16.3";
const OPENAPI_TYPESCRIPT = "openapi-typescript@7.13.0";

const USE = `import type { components, operations } from "./types.js";

type Json<Content> = Content extends { "application/json": infer Body } ? Body : never;
type Asked = Json<NonNullable<operations["recall"]["requestBody"]>["content"]>;
type Listed = Json<operations["list_episodes"]["responses"]["200"]["content"]>;

export const asked: Asked = { query: "tea" };
export const first = ({ episodes }: Listed): components["schemas"]["Episode"] | undefined =>
  episodes[0];
`;

const COMPILER = {
  compilerOptions: {
    noEmit: true,
    strict: true,
    types: [],
    module: "nodenext",
    target: "es2022",
  },
  files: ["use.ts"],
};

const folder = mkdtempSync(join(tmpdir(), "cairn-openapi-"));
try {
  const document = join(folder, "openapi.json");
  const server = await serveMemory();
  const response = await fetch(`${server.url}/api/v1/openapi.json`);
  writeFileSync(document, await response.text());
  await server.end();
  const ruleset = join(folder, "spectral.yaml");
  writeFileSync(ruleset, "extends: [spectral:oas]\n");
  writeFileSync(join(folder, "use.ts"), USE);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(COMPILER));
  const types = join(folder, "types.ts");
  process.exitCode = await firstFailure([
    ["npx", "-y", SPECTRAL, "lint", document, "--ruleset", ruleset, "--fail-severity", "warn"],
    ["npx", "-y", OPENAPI_TYPESCRIPT, document, "-o", types, "--default-non-nullable=false"],
    ["npx", "tsc", "--project", folder],
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
