import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";

/** Marks nested resolve calls of this plugin, which it must not handle again. */
const NESTED_RESOLVE = Symbol("asked");
const NAMESPACE = "lazy-commonjs";

/**
 * Gives `await import("…")` of a CommonJS package the named exports that Node.js provides. In a
 * split bundle esbuild provides only `default`, so that `(await import("undici")).ProxyAgent` is
 * undefined.
 */
export const lazyCommonJs: Plugin = {
  name: "lazy-commonjs",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== "dynamic-import" || pluginData === NESTED_RESOLVE) return;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: NESTED_RESOLVE });
      if (found.external || found.errors.length > 0 || !(await isCommonJs(found.path))) return;
      return { path: found.path, namespace: NAMESPACE };
    });
    onLoad({ filter: /./, namespace: NAMESPACE }, async ({ path }) => {
      const names = Object.keys((await import(pathToFileURL(path).href)) as object).filter(
        (name) => /^[\w$]+$/.test(name) && name !== "default" && name !== "__esModule",
      );
      const named = names.map((name) => `export const ${name} = all.${name};`);
      return {
        contents: [
          `const all = require(${JSON.stringify(path)});`,
          "export default all;",
          ...named,
        ].join("\n"),
        resolveDir: dirname(path),
      };
    });
  },
};

/** Returns true if Node.js loads this package file as CommonJS. */
async function isCommonJs(path: string): Promise<boolean> {
  if (!/[\\/]node_modules[\\/]/.test(path)) return false;
  if (path.endsWith(".cjs")) return true;
  return path.endsWith(".js") && (await readPackageType(dirname(path))) !== "module";
}

/** `type` of the nearest `package.json`. */
async function readPackageType(folder: string): Promise<unknown> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    },
  );
  if (text !== undefined) return (JSON.parse(text) as { type?: unknown }).type;
  const parent = dirname(folder);
  return parent === folder ? undefined : readPackageType(parent);
}
