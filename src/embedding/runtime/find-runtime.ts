import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { packageRoot } from "../../shared/package.ts";
import { unpackRuntime } from "./unpack-runtime.ts";

/** The native module; the library that it loads lies beside it. */
const BINDING = "onnxruntime_binding.node";

/**
 * Path of the native module of the ONNX runtime for this platform. An installed package contains it
 * compressed for every supported platform; a clone has the development package, which is five times
 * as large. Throws if neither is there.
 */
export async function findRuntime(
  platform = `${process.platform}-${process.arch}`,
): Promise<string> {
  const packed = join(packageRoot(), "dist", "runtime", `${platform}.br`);
  if (existsSync(packed)) {
    const folders = [dirname(packed), join(homedir(), ".cache", "cairn")];
    return join(await unpackRuntime(packed, folders), BINDING);
  }
  const development = developmentFolder();
  const path = join(development ?? "", platform.replace("-", "/"), BINDING);
  if (development !== undefined && existsSync(path)) return path;
  const whose = development === undefined ? "this installation carries" : "there is";
  throw new Error(`${whose} no ONNX runtime for ${platform}`);
}

/** `bin/napi-v3` of the development package; undefined if that is not installed. */
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
