import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build } from "esbuild";

const compress = promisify(brotliCompress);

const SOURCES = "src/web";
const ENTRIES = { page: `${SOURCES}/main.tsx`, style: `${SOURCES}/styles/style.css` };

/**
 * The page that `cairn serve` shows: files named by their content, each beside its brotli form, and
 * an `index.html` that names the first two.
 */
export async function buildPage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: { ...ENTRIES, "layout.worker": `${SOURCES}/map/layout.worker.ts` },
    outdir: folder,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: ["es2022", "chrome123", "firefox125", "safari17.5"],
    minify: true,
    legalComments: "none",
    tsconfig: `${SOURCES}/tsconfig.json`,
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
  });
  const files = Object.entries(metafile.outputs);
  const builtFrom = (source: string) => {
    const [file] = files.find(([, { entryPoint }]) => entryPoint === source) ?? [];
    if (file === undefined) throw new Error(`The build made nothing of ${source}.`);
    return file.slice(folder.length + 1);
  };
  const template = await readFile(`${SOURCES}/index.html`, "utf8");
  const page = template
    .replace("style.css", builtFrom(ENTRIES.style))
    .replace("page.js", builtFrom(ENTRIES.page))
    .replace("layout.worker.js", builtFrom(`${SOURCES}/map/layout.worker.ts`));
  await writeFile(join(folder, "index.html"), page);
  await copyFile("examples/first-memory.changeset", join(folder, "example.txt"));
  await Promise.all(files.map(([file]) => compressBeside(file)));
}

async function compressBeside(file: string): Promise<void> {
  const content = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${file}.br`, await compress(content, { params }));
}
