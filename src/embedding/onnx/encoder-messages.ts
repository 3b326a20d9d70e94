import type { SignedReading, TextInContext } from "../embedder.ts";

/** A request to an encoder's process. */
export interface EncoderRequest {
  readonly id: number;
  readonly texts: readonly TextInContext[];
}

/** Either the answer or the error is present. */
export interface EncoderAnswer {
  readonly id: number;
  readonly readings?: readonly SignedReading[];
  readonly error?: string;
}
