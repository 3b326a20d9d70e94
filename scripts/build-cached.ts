import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { COMMON } from "./bundle-options.ts";

/** Replaces modules by an error, for programs that never run them. */
function excludeModules(
  isLeftOut: (path: string, importer: string, kind: string) => boolean,
): Plugin {
  return {
    name: "leave-out",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /./ }, ({ path, importer, kind }) =>
        isLeftOut(path, importer, kind) ? { path, namespace: "left-out" } : undefined,
      );
      onLoad({ filter: /./, namespace: "left-out" }, ({ path }) => ({
        contents: `throw new Error(${JSON.stringify(`${path} is not part of this program`)});`,
      }));
    },
  };
}

const LEARNS_OR_SERVES = /src[\\/]app[\\/](learn-with|open-agent|serve-\w+)\.ts$/;
const OTHER_COMMANDS = /src[\\/]cli[\\/](commands|completion)[\\/]/;

const PROGRAMS = {
  // Programs for hooks only read, so they need neither the embedding model nor the secret scanner.
  hook: {
    source: "src/cli/hook/hook.program.ts",
    plugin: excludeModules((path) => /[\\/]lint-text\.ts$|^@huggingface\/tokenizers$/.test(path)),
  },
  "memory-command": {
    source: "src/cli/memory-command.program.ts",
    plugin: excludeModules(
      (_path, importer, kind) =>
        kind === "dynamic-import" &&
        (LEARNS_OR_SERVES.test(importer) || OTHER_COMMANDS.test(importer)),
    ),
  },
};

/**
 * Builds the programs whose machine code `bin/cairn.js` caches. Each file is one function with the parameters of a
 * CommonJS module. Its first line is its hash, which names the cache. The file is ASCII, so that it can be read as
 * Latin-1, in which V8 stores it with one byte for each character.
 */
export async function buildCachedPrograms(outdir: string): Promise<void> {
  for (const [name, { source, plugin }] of Object.entries(PROGRAMS)) {
    const { outputFiles } = await build({
      ...COMMON,
      outdir,
      sourcemap: false,
      write: false,
      entryPoints: { [name]: source },
      format: "cjs",
      supported: { "dynamic-import": false },
      plugins: [plugin, ...(COMMON.plugins ?? [])],
      banner: {
        js: 'const __importMetaUrl = require("node:url").pathToFileURL(__filename).href;',
      },
      define: { ...COMMON.define, "import.meta.url": "__importMetaUrl" },
    });
    const text = toAscii(outputFiles?.[0]?.text ?? "");
    const hash = createHash("sha256").update(text).digest("hex");
    await writeFile(
      join(outdir, `${name}.cjs`),
      `//${hash}\n(function (exports, require, module, __filename, __dirname) {${text}\n})`,
    );
  }
}

/** Escapes what esbuild leaves as it is: characters of regular expressions. */
function toAscii(text: string): string {
  const other = /[^\x00-\x7f]/g;
  const escaped = /\\[^\x00-\x7f]/.exec(text);
  if (escaped !== null) throw new Error(`Escaped character outside of ASCII: ${escaped[0]}`);
  return text.replaceAll(
    other,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
