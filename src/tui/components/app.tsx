import { useSyncExternalStore } from "react";
import type { Store } from "../session/store.ts";
import type { Screen } from "../state/screen.ts";
import type { Paint } from "../text/style.ts";
import { FinishedItems } from "./finished-items.tsx";
import { LiveRegion } from "./live-region.tsx";
import { type Frame, useTerminalSize } from "./use-terminal-size.ts";

export interface AppProps {
  readonly store: Store<Screen>;
  readonly paint: Paint;
  /** Told the rows of each live region, for whoever has to erase them. */
  readonly frame: Frame;
}

/** What is finished scrolls away above; what still changes stays at the bottom. */
export function App({ store, paint, frame }: AppProps) {
  const screen = useSyncExternalStore(store.subscribe, store.get);
  const size = useTerminalSize();
  return (
    <>
      <FinishedItems items={screen.finished} paint={paint} columns={size.columns} />
      <LiveRegion screen={screen} paint={paint} size={size} frame={frame} />
    </>
  );
}
