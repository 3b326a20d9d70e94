import { useEffect, useState } from "preact/hooks";
import { usePage } from "../page.ts";
import { getFailure, type RequestFailed } from "./request-failed.ts";

interface Loaded<Value> {
  readonly output?: Value;
  readonly failure?: RequestFailed;
  retry(): void;
}

/** Loads a value that is not cached, again whenever an input changes. */
export function useRequest<Value>(
  load: () => Promise<Value>,
  inputs: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<Omit<Loaded<Value>, "retry">>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (output) => isCurrent && setState({ output }),
      (error: unknown) => isCurrent && setState({ failure: getFailure(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [...inputs, attempt]);
  return { ...state, retry: () => setAttempt((count) => count + 1) };
}

/** Names of all databases; empty while the server is unreachable, which a banner reports. */
export function useDatabaseNames(inputs: readonly unknown[] = []): readonly string[] {
  const { client } = usePage();
  const { output } = useRequest(() => client.answer("list_databases", "/databases"), inputs);
  return output?.databases.map(({ name }) => name) ?? [];
}
