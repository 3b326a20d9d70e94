import { useSyncExternalStore } from "react";
import type { Store } from "../session/store.ts";
import type { Screen } from "../state/screen.ts";
import { FinishedItems } from "./finished-items.tsx";
import { LiveRegion } from "./live-region.tsx";
import { type Frame, useTerminalSize } from "./use-terminal-size.ts";

export interface AppProps {
  readonly store: Store<Screen>;
  /** Told the rows of each live region, for whoever has to erase them. */
  readonly frame: Frame;
}

/** What is finished scrolls away above; what still changes stays at the bottom. */
export function App({ store, frame }: AppProps) {
  const screen = useSyncExternalStore(store.subscribe, store.get);
  const size = useTerminalSize();
  return (
    <>
      <FinishedItems items={screen.finished} paint={screen.paint} columns={size.columns} />
      <LiveRegion screen={screen} size={size} frame={frame} />
    </>
  );
}
