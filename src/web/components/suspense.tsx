import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { failureOf, type RequestFailed } from "../data/request-failed.ts";
import { Failure } from "./failure.tsx";
import { Waiting } from "./waiting.tsx";

export type Part = ComponentType | { load(): Promise<ComponentType> };

export function Suspense({ part }: { readonly part: Part }) {
  const [state, setState] = useState<{ Loaded?: ComponentType; failure?: RequestFailed }>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (typeof part === "function") return;
    part.load().then(
      (Loaded) => setState({ Loaded }),
      (error: unknown) => setState({ failure: failureOf(error) }),
    );
  }, [part, attempt]);
  if (typeof part === "function") {
    const Screen = part;
    return <Screen />;
  }
  const { Loaded, failure } = state;
  if (Loaded !== undefined) return <Loaded />;
  if (failure === undefined) return <Waiting />;
  return <Failure of={failure} again={() => setAttempt(attempt + 1)} />;
}
