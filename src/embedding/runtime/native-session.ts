import { constants, existsSync } from "node:fs";
import {
  access,
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { packageRoot } from "../../shared/package.ts";

const decompress = promisify(brotliDecompress);

/** JSON line that precedes the file contents. */
interface Contents {
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
}

/**
 * Returns the folder of the runtime's files, unpacked once into the first writable entry of
 * `folders`. Safe for concurrent processes; never uses files of other users.
 */
export async function unpackRuntime(archive: string, folders: readonly string[]): Promise<string> {
  const { size, mtimeMs } = await stat(archive);
  // The name depends on the archive, so that a newer installation unpacks its own.
  const name = `${basename(archive, ".br")}-${size}-${Math.trunc(mtimeMs)}`;
  for (const folder of folders) {
    if (await isOwnedByUser(join(folder, name), folder)) return join(folder, name);
  }
  let failure: unknown;
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await unpackInto(folder, name, archive);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function isOwnedByUser(unpacked: string, folder: string): Promise<boolean> {
  try {
    await access(unpacked, constants.R_OK | constants.X_OK);
  } catch {
    // Missing, or unpacked by another user for themselves.
    return false;
  }
  const { uid } = await stat(unpacked);
  const owners = [process.getuid?.() ?? uid, (await stat(folder)).uid];
  return owners.includes(uid);
}

async function unpackInto(folder: string, name: string, archive: string): Promise<string> {
  const draft = await mkdtemp(join(folder, `.${name}-`));
  try {
    const data = await decompress(await readFile(archive));
    const line = data.indexOf(10);
    const { files } = JSON.parse(data.subarray(0, line).toString("utf8")) as Contents;
    let at = line + 1;
    for (const file of files) {
      const content = data.subarray(at, at + file.bytes);
      const path = join(draft, basename(file.name));
      await writeFile(path, content);
      await chmod(path, 0o755);
      at += file.bytes;
    }
    // Temporary folders are private; other users of the installation need access.
    await chmod(draft, 0o755);
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process unpacked it first.
    if (!existsSync(join(folder, name))) throw error;
  }
  return join(folder, name);
}

const BINDING_FILE = "onnxruntime_binding.node";

/**
 * Returns the path of the ONNX runtime's native module for this platform. An installed package
 * contains it compressed for every supported platform; a clone uses the development package, which
 * is five times as large. Throws if neither exists.
 */
export async function findRuntime(
  platform = `${process.platform}-${process.arch}`,
): Promise<string> {
  const packed = join(packageRoot(), "dist", "runtime", `${platform}.br`);
  if (existsSync(packed)) {
    const folders = [dirname(packed), join(homedir(), ".cache", "cairn")];
    return join(await unpackRuntime(packed, folders), BINDING_FILE);
  }
  const development = developmentFolder();
  const path = join(development ?? "", platform.replace("-", "/"), BINDING_FILE);
  if (development !== undefined && existsSync(path)) return path;
  const whose = development === undefined ? "this installation contains" : "there is";
  throw new Error(`${whose} no ONNX runtime for ${platform}`);
}

function developmentFolder(): string | undefined {
  try {
    const main = createRequire(import.meta.url).resolve("onnxruntime-node");
    return join(dirname(dirname(main)), "bin", "napi-v3");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") {
      return undefined;
    }
    throw error;
  }
}

export interface NativeTensor {
  readonly type: string;
  readonly data: unknown;
  readonly dims: readonly number[];
}

interface NativeSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  loadModel(path: string, options: object): void;
  loadModel(model: ArrayBufferLike, offset: number, bytes: number, options: object): void;
  run(
    feeds: Readonly<Record<string, NativeTensor>>,
    fetches: Readonly<Record<string, null>>,
    options: object,
  ): Record<string, NativeTensor>;
}

interface NativeModule {
  readonly InferenceSession: new () => NativeSession;
}

/** Throws an Error that names glibc if the system lacks it, as Alpine Linux does. */
function loadNative(path: string): NativeModule {
  try {
    return createRequire(import.meta.url)(path) as NativeModule;
  } catch (error) {
    if (!(error instanceof Error) || !/ld-linux|ld-musl/.test(error.message)) throw error;
    throw new Error(
      "the ONNX runtime needs glibc, which this system (Alpine Linux?) does not have",
      {
        cause: error,
      },
    );
  }
}

const SINGLE_THREAD_OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1 };

/** Starts a session for the model at a path or in memory. */
export type StartSession = (model: string | Uint8Array, isOptimized: boolean) => NativeSession;

export async function loadRuntime(): Promise<StartSession> {
  const path = await findRuntime();
  const { InferenceSession } = loadNative(path);
  return (model, isOptimized) => {
    const session = new InferenceSession();
    // One thread: more would busy-wait, which doubles the CPU time of a run and cannot be disabled
    // in this version. No arena: it would retain the memory of the longest text, at least 16 MB,
    // without saving time.
    const options = {
      ...SINGLE_THREAD_OPTIONS,
      enableCpuMemArena: false,
      graphOptimizationLevel: isOptimized ? "disabled" : "all",
    };
    if (typeof model === "string") session.loadModel(model, options);
    else session.loadModel(model.buffer, model.byteOffset, model.byteLength, options);
    return session;
  };
}
