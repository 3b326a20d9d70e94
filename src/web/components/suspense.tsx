import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { failureOf, type RequestFailed } from "../data/request-failed.ts";
import { Failure } from "./failure.tsx";
import { Waiting } from "./waiting.tsx";

export type Part = ComponentType | { load(): Promise<ComponentType> };

/** Screens loaded before, which render immediately. */
const loaded = new WeakMap<Part, ComponentType>();

export function Suspense({ part }: { readonly part: Part }) {
  const [state, setState] = useState<{ failure?: RequestFailed }>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (typeof part === "function" || loaded.has(part)) return;
    part.load().then(
      (Loaded) => {
        loaded.set(part, Loaded);
        setState({});
      },
      (error: unknown) => setState({ failure: failureOf(error) }),
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
