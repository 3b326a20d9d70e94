import type { Caller } from "../../shared/caller.ts";

export interface AnsweredUpgrade {
  /** Path of the socket; "none" for any other. */
  readonly route: string;
  /** 101: it was taken over. */
  readonly status: number;
  readonly known: Caller | undefined;
}

/** Called before the response is sent; an error replaces the response. */
export type OnUpgradeAnswer = (answered: AnsweredUpgrade) => Promise<void>;
