import type { SignedReading, TextInContext } from "../embedder.ts";

/** What an encoder's process is asked. */
export interface EncoderRequest {
  readonly id: number;
  readonly texts: readonly TextInContext[];
}

/** One of both. */
export interface EncoderAnswer {
  readonly id: number;
  readonly readings?: readonly SignedReading[];
  readonly error?: string;
}
