import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build } from "esbuild";
import { type ChunkingContext, type RolldownOutput, rolldown } from "rolldown";

const compress = promisify(brotliCompress);

const SOURCES = "src/web";
const SCRIPTS = { page: `${SOURCES}/main.tsx`, "layout.worker": `${SOURCES}/map/layout.worker.ts` };
/** Small parts of screens; those that several screens use are one file. */
const COMPONENTS = resolve(SOURCES, "components");
/** The connection to the agent, which every screen loads if the server has one. */
const AGENT = resolve(SOURCES, "agent");
const NAMED_BY_CONTENT = "[name]-[hash]";
const BROWSERS = ["es2022", "chrome123", "firefox125", "safari17.5"];

/**
 * Builds the page that `cairn serve` shows: files named by content hash, each with its Brotli
 * version, and an `index.html` that references the entry files.
 */
export async function buildPage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const [scripts, style] = await Promise.all([buildScripts(folder), buildStyle(folder)]);
  const template = await readFile(`${SOURCES}/index.html`, "utf8");
  const page = template
    .replace("style.css", style)
    .replace("page.js", chunkOf(scripts, "page").fileName)
    .replace("layout.worker.js", chunkOf(scripts, "layout.worker").fileName);
  const built = await readdir(folder);
  await writeFile(join(folder, "index.html"), page);
  await copyFile("examples/first-memory.changeset", join(folder, "example.txt"));
  await Promise.all(built.map((file) => compressBeside(join(folder, file))));
}

const INPUT = {
  platform: "browser",
  tsconfig: `${SOURCES}/tsconfig.json`,
  transform: { target: BROWSERS, define: { "process.env.NODE_ENV": '"production"' } },
} as const;
const OUTPUT = {
  format: "esm",
  entryFileNames: `${NAMED_BY_CONTENT}.js`,
  chunkFileNames: `${NAMED_BY_CONTENT}.js`,
  hashCharacters: "base36",
  minify: true,
  comments: false,
} as const;

/** Bundles the first view into one file, and each lazily loaded part into one more. */
async function buildScripts(folder: string): Promise<RolldownOutput["output"]> {
  const bundle = await rolldown({ ...INPUT, input: SCRIPTS });
  const { output } = await bundle.write({
    ...OUTPUT,
    dir: folder,
    codeSplitting: {
      groups: [
        { name: groupOfFirstView(), debugName: "first view", priority: 1 },
        { name: "agent-connection", test: (id) => id.startsWith(AGENT) },
        { name: "components", test: (id) => id.startsWith(COMPONENTS), minShareCount: 3 },
      ],
    },
  });
  await bundle.close();
  return output;
}

/**
 * By default the bundler splits modules shared by the first view and later parts into files of a
 * few hundred bytes, whose HTTP headers are larger than the files.
 */
function groupOfFirstView() {
  let first: ReadonlySet<string> | undefined;
  return (id: string, modules: ChunkingContext) => {
    first ??= reachedAtOnce(resolve(SCRIPTS.page), modules);
    return first.has(id) ? "page" : null;
  };
}

/** Returns a module with its transitive static imports. */
function reachedAtOnce(entry: string, modules: ChunkingContext): ReadonlySet<string> {
  const reached = new Set([entry]);
  // Iteration over a Set includes elements added meanwhile.
  for (const id of reached) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  }
  return reached;
}

function chunkOf(output: RolldownOutput["output"], entry: keyof typeof SCRIPTS) {
  for (const one of output) {
    if (one.type === "chunk" && one.isEntry && one.name === entry) return one;
  }
  throw new Error(`No output for ${SCRIPTS[entry]}.`);
}

async function buildStyle(folder: string): Promise<string> {
  const { metafile } = await build({
    entryPoints: [`${SOURCES}/styles/style.css`],
    outdir: folder,
    entryNames: NAMED_BY_CONTENT,
    bundle: true,
    target: BROWSERS,
    minify: true,
    legalComments: "none",
    metafile: true,
  });
  const [file = ""] = Object.keys(metafile.outputs);
  return file.slice(folder.length + 1);
}

async function compressBeside(file: string): Promise<void> {
  const content = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${file}.br`, await compress(content, { params }));
}
