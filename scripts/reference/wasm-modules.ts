import { readFile } from "node:fs/promises";
import { join } from "node:path";
import wabt from "wabt";

const FOLDER = "src/memory/search/simd";
const MODULES = ["cosine", "hamming", "product"] as const;

/** Assembles `src/memory/search/simd/*.wat` into a TypeScript source that is part of the bundle. */
export async function renderWasmModules(): Promise<string> {
  const { parseWat } = await wabt();
  const lines: string[] = [];
  for (const name of MODULES) {
    const file = `${name}.wat`;
    const module = parseWat(file, await readFile(join(FOLDER, file), "utf8"), { simd: true });
    module.resolveNames();
    module.validate();
    const { buffer } = module.toBinary({});
    module.destroy();
    lines.push(`  ${name}:\n    "${Buffer.from(buffer).toString("base64")}",`);
  }
  return `// Assembled from the .wat files beside it: npm run build, or npm run docs.

/** WebAssembly modules in base64. */
export const WASM_MODULES = {\n${lines.join("\n")}\n} as const;\n`;
}
