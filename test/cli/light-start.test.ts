import { build } from "esbuild";
import stringWidth from "string-width";
import { beforeAll, describe, expect, it } from "vitest";
import { NARROW, quickStartLibraries } from "../../scripts/quick-start-libraries.ts";

interface Input {
  readonly bytes: number;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

let inputs: Readonly<Record<string, Input>> = {};

beforeAll(async () => {
  const { metafile } = await build({
    entryPoints: { main: "src/cli/main.ts" },
    outdir: ".tmp/light-start",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    jsx: "automatic",
    write: false,
    metafile: true,
    loader: { ".md": "text" },
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    external: [
      "better-sqlite3",
      "sqlite-vec",
      "@anthropic-ai/sandbox-runtime",
      "react-devtools-core",
    ],
  });
  inputs = metafile.inputs;
}, 180_000);

/** Returns all modules that a file loads statically. */
function readWith(file: string): readonly string[] {
  const found = new Set([file]);
  for (const one of found) {
    for (const { path, kind } of inputs[one]?.imports ?? []) {
      if (kind === "import-statement") found.add(path);
    }
  }
  return [...found];
}

const HEAVY =
  /^src\/(?:memory(?!\/presentation)|agent|database|app)\/|node_modules\/(?:zod|drizzle-orm|yaml|ai|undici)\//;

describe("startup imports", () => {
  it("of the command line exclude memory and agent", () => {
    expect(readWith("src/cli/run-command-line.ts").filter((file) => HEAVY.test(file))).toEqual([]);
  });

  it("of the screen include only rendering", () => {
    expect(readWith("src/terminal/run-interactive.ts").filter((file) => HEAVY.test(file))).toEqual(
      [],
    );
    expect(
      readWith("src/terminal/spoken/run-spoken.ts").filter((file) => HEAVY.test(file)),
    ).toEqual([]);
  });
});

describe("bundled screen libraries", () => {
  const built = async (contents: string) => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: process.cwd() },
      bundle: true,
      format: "esm",
      platform: "node",
      write: false,
      plugins: [quickStartLibraries],
    });
    const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
    return import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
  };

  it("measure every character like the original library", { tags: ["long"] }, async () => {
    const { default: measured } = await built('export { default } from "string-width";');
    const narrow = new RegExp(`^[${NARROW}]$`);
    for (let code = 0x20; code < 0x2fff; code += 1) {
      const character = String.fromCharCode(code);
      for (const text of [character, `${character}\ufe0f`, `e${character}`, `\u200d${character}`]) {
        if (measured(text) !== stringWidth(text)) throw new Error(`width of ${code.toString(16)}`);
      }
    }
    expect(narrow.test("›")).toBe(true);
    expect(measured("› 日本 👩‍👩‍👧 \u001b[1mé\u001b[0m")).toBe(stringWidth("› 日本 👩‍👩‍👧 é"));
  });

  it("lay out without network modules", async () => {
    const { default: layout } = await built(
      `
      globalThis.fetch = () => { throw new Error("fetched"); };
      const { default: Yoga } = await import("yoga-layout");
      const node = Yoga.Node.create();
      node.setWidth(12);
      node.calculateLayout(undefined, undefined);
      export default node.getComputedWidth();
    `
        .replace("globalThis.fetch =", "const kept = globalThis.fetch; globalThis.fetch =")
        .concat("\nglobalThis.fetch = kept;"),
    );
    expect(layout).toBe(12);
  });
});
