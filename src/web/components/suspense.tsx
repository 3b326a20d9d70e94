import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { getFailure, type RequestFailed } from "../data/request-failed.ts";
import { Failure } from "./failure.tsx";
import { Waiting } from "./waiting.tsx";

export type Part = ComponentType | { load(): Promise<ComponentType> };

/** Screens loaded before, which render immediately. */
const loaded = new WeakMap<Part, ComponentType>();

export function Suspense({ part }: { readonly part: Part }) {
  const [state, setState] = useState<{ failure?: RequestFailed }>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (typeof part === "function") return;
    // Also if it is loaded: another instance may have loaded it after this one rendered.
    part.load().then(
      (Loaded) => {
        loaded.set(part, Loaded);
        setState({});
      },
      (error: unknown) => setState({ failure: getFailure(error) }),
    );
  }, [part, attempt]);
  if (typeof part === "function") {
    const Screen = part;
    return <Screen />;
  }
  const { failure } = state;
  const Loaded = loaded.get(part);
  if (Loaded !== undefined) return <Loaded />;
  if (failure === undefined) return <Waiting />;
  return <Failure of={failure} again={() => setAttempt(attempt + 1)} />;
}
