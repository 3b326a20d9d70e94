/**
 * Compresses the native ONNX runtime of each platform into `dist/runtime/<platform>.br` for the
 * package: a third of the size of the development package, and no download at install. Also copies
 * the SQLite driver for Node.js 22 and newer, with a native module for each platform.
 *
 *   npx tsx scripts/pack-runtimes.ts [--current]
 */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);
/** Higher levels save 4 % and take four times as long. */
const BROTLI_QUALITY = 5;
/** The SQLite driver for Node.js 22 and newer, with a native module for each platform. */
const DRIVER = "better-sqlite3@13.0.3";

const main = createRequire(import.meta.url).resolve("onnxruntime-node");
const source = join(dirname(dirname(main)), "bin", "napi-v3");
const target = join("dist", "runtime");
await mkdir(target, { recursive: true });
const current = `${process.platform}-${process.arch}`;
const platforms = (await listPlatforms(source)).filter(
  (platform) => !process.argv.includes("--current") || platform === current,
);
await Promise.all(
  platforms.map(async (platform) =>
    writeFile(join(target, `${platform}.br`), await pack(platform)),
  ),
);
await writeFile(join(target, "LICENSE"), readLicense());
await packDriver();

async function packDriver(): Promise<void> {
  await rm(join("dist", "driver"), { recursive: true, force: true });
  const folder = await fetchDriver();
  for (const part of ["lib", "prebuilds", "LICENSE"]) {
    await cp(join(folder, part), join("dist", "driver", part), {
      recursive: true,
      // The ONNX runtime does not support musl either.
      filter: (path) => !/linuxmusl-\w+\.node$/.test(path),
    });
  }
  const { name, version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const own = { name, version, private: true, type: "commonjs" };
  await writeFile(join("dist", "driver", "package.json"), JSON.stringify(own));
}

/**
 * The driver is not a dependency: it requires Node.js 22, and npm would warn about that at every
 * install on older versions.
 */
async function fetchDriver(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-driver-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const shell = process.platform === "win32";
  const options = { cwd: folder, stdio: "pipe" as const, shell };
  // An explicit destination, since an outer `npm pack --pack-destination` passes its own to child
  // processes.
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, DRIVER], options);
  const [archive = ""] = await readdir(folder);
  execFileSync("tar", ["xzf", archive], options);
  return join(folder, "package");
}

async function listPlatforms(folder: string): Promise<string[]> {
  const systems = await readdir(folder);
  const lists = await Promise.all(
    systems.map(async (system) =>
      (await readdir(join(folder, system))).map((processor) => `${system}-${processor}`),
    ),
  );
  return lists.flat();
}

async function pack(platform: string): Promise<Buffer> {
  const folder = join(source, platform.replace("-", "/"));
  const names = (await readdir(folder)).sort();
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name))));
  const files = contents.map(({ length }, index) => ({ name: names[index], bytes: length }));
  const head = Buffer.from(`${JSON.stringify({ files })}\n`);
  return compress(Buffer.concat([head, ...contents]), {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
}

function readLicense(): string {
  return `The archives in this folder hold ONNX Runtime 1.16.3 (https://github.com/microsoft/onnxruntime).

MIT License

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense,
and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so,
subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN
NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY,
WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;
}
