import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { packageRoot } from "../../kernel/package-root.ts";
import { unpackRuntime } from "./unpack-runtime.ts";

/** The native module, beside which lies the library that it loads. */
const BINDING = "onnxruntime_binding.node";

/**
 * Path of the native module of the ONNX runtime for this platform. An installed package carries it
 * compressed, for every platform that it supports; a clone has the development package, which is
 * five times as large. Throws where there is neither.
 */
export async function findRuntime(
  platform = `${process.platform}-${process.arch}`,
): Promise<string> {
  const packed = join(packageRoot(), "dist", "runtime", `${platform}.br`);
  if (existsSync(packed)) {
    const folders = [dirname(packed), join(homedir(), ".cache", "cairn")];
    return join(await unpackRuntime(packed, folders), BINDING);
  }
  const path = join(developmentFolder(), platform.replace("-", "/"), BINDING);
  if (existsSync(path)) return path;
  throw new Error(`there is no ONNX runtime for ${platform}`);
}

/** `bin/napi-v3` of the development package. */
function developmentFolder(): string {
  const main = createRequire(import.meta.url).resolve("onnxruntime-node");
  return join(dirname(dirname(main)), "bin", "napi-v3");
}
