import type { Caller } from "../../shared/caller.ts";

/** A connection that asked for another protocol, and how it was answered. */
export interface AnsweredUpgrade {
  /** Path of the socket; "none" for any other. */
  readonly route: string;
  /** 101: it was taken over. */
  readonly status: number;
  readonly known: Caller | undefined;
}

/** Is told before the answer goes out; where that fails, its error is the answer. */
export type OnUpgradeAnswer = (answered: AnsweredUpgrade) => Promise<void>;
