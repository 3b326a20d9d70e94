import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Plugin, rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

/**
 * Modules whose public declarations are hand-written: the real ones would pull in the types of the
 * database drivers and of the LLM library.
 */
const PUBLIC_DECLARATIONS = new Map([
  ["define-operation.ts", "scripts/declarations/define-operation.d.ts"],
  ["define-scope.ts", "scripts/declarations/define-scope.d.ts"],
  ["prepare-recall.ts", "scripts/declarations/prepare-recall.d.ts"],
  ["recall-question.ts", "scripts/declarations/recall-question.d.ts"],
  ["model-port.ts", "scripts/declarations/model-port.d.ts"],
]);

const hideInsides: Plugin = {
  name: "hide-insides",
  resolveId(source) {
    const stand = PUBLIC_DECLARATIONS.get(source.split("/").at(-1) ?? "");
    return stand === undefined ? null : resolve(stand);
  },
};

/** Bundles the public declarations, one file per entry point. Types of packages stay imports. */
const bundle = await rollup({
  input: {
    index: "src/index.ts",
    agent: "src/agent/index.ts",
    "agent-client": "src/client/index.ts",
    testing: "src/testing/index.ts",
  },
  plugins: [hideInsides, dts({ tsconfig: "tsconfig.json" })],
  external: (id) => !/^(\.|\/|src\/|scripts\/)/.test(id),
  onLog(level, log, handle) {
    // Execution order does not matter for type-only modules.
    if (log.code !== "CYCLIC_CROSS_CHUNK_REEXPORT") handle(level, log);
  },
});
const old = (await readdir("dist")).filter((file) => file.endsWith(".d.ts"));
for (const file of old) await rm(join("dist", file));
await bundle.write({
  dir: "dist",
  entryFileNames: "[name].d.ts",
  chunkFileNames: "[name]-[hash].d.ts",
});
await bundle.close();
