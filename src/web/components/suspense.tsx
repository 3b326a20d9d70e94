import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { getFailure, type RequestFailed } from "../data/request-failed.ts";
import { Failure } from "./failure.tsx";
import { Loading } from "./loading.tsx";

/** A component whose code is loaded on first use. */
export interface Part<Props = object> {
  load(): Promise<ComponentType<Props>>;
}

/** Components loaded before, which render immediately. */
const loaded = new WeakMap<object, unknown>();

interface SuspenseProps<Props> {
  readonly part: Part<Props>;
  readonly props: Props;
}

export function Suspense<Props extends object>({ part, props }: SuspenseProps<Props>) {
  const [state, setState] = useState<{ failure?: RequestFailed }>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    // Also if it is loaded: another instance may have loaded it after this one rendered.
    part.load().then(
      (Loaded) => {
        loaded.set(part, Loaded);
        setState({});
      },
      (error: unknown) => setState({ failure: getFailure(error) }),
    );
  }, [part, attempt]);
  const { failure } = state;
  const Loaded = loaded.get(part) as ComponentType<Props> | undefined;
  if (Loaded !== undefined) return <Loaded {...props} />;
  if (failure === undefined) return <Loading />;
  return <Failure error={failure} retry={() => setAttempt(attempt + 1)} />;
}
