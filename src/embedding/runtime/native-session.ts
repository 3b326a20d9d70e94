import { createRequire } from "node:module";
import { findRuntime } from "./find-runtime.ts";

/** A tensor as the native module takes and gives it. */
export interface NativeTensor {
  readonly type: string;
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** What the native module of the ONNX runtime offers; everything in it is synchronous. */
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

/** Loads the native module; its sessions are released with the process. */
export async function loadRuntime(): Promise<StartSession> {
  const path = await findRuntime();
  const { InferenceSession } = createRequire(import.meta.url)(path) as NativeModule;
  return (model) => {
    const session = new InferenceSession();
    // Further threads spin while they wait, which doubles the time that a run takes of the processor,
    // and this version has no way to tell them not to.
    // The arena keeps as much as the longest text needed, and at least 16 MB, for no time that is saved.
    session.loadModel(model, { ...ONE_THREAD, enableCpuMemArena: false });
    return session;
  };
}
