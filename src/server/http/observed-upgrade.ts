import type { Caller } from "../../shared/caller.ts";

export interface ObservedUpgrade {
  /** Path of the socket, or "none". */
  readonly route: string;
  /** 101 if the upgrade was accepted. */
  readonly status: number;
  readonly known: Caller | undefined;
}

/** Called before the response is sent; an error replaces the response. */
export type OnUpgradeResponse = (answered: ObservedUpgrade) => Promise<void>;
