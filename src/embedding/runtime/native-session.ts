import { createRequire } from "node:module";
import { findRuntime } from "./find-runtime.ts";

/** A tensor in the native module's format. */
export interface NativeTensor {
  readonly type: string;
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** The interface of the ONNX runtime's native module; all of it is synchronous. */
interface NativeSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  loadModel(path: string, options: object): void;
  run(
    feeds: Readonly<Record<string, NativeTensor>>,
    fetches: Readonly<Record<string, null>>,
    options: object,
  ): Record<string, NativeTensor>;
}

interface NativeModule {
  readonly InferenceSession: new () => NativeSession;
}

const ONE_THREAD = { intraOpNumThreads: 1, interOpNumThreads: 1 };

export type StartSession = (model: string) => NativeSession;

/** Loads the native module; its sessions are freed when the process ends. */
export async function loadRuntime(): Promise<StartSession> {
  const path = await findRuntime();
  const { InferenceSession } = createRequire(import.meta.url)(path) as NativeModule;
  return (model) => {
    const session = new InferenceSession();
    // One thread only: further threads spin while they wait, which doubles the processor time of a
    // run, and this version cannot turn that off. The arena is off: it would keep as much memory as
    // the longest text needed, at least 16 MB, and save no time.
    session.loadModel(model, { ...ONE_THREAD, enableCpuMemArena: false });
    return session;
  };
}
