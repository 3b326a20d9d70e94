export type AttemptResult =
  | { readonly kind: "passed" }
  /** Worth another attempt, which gets the reason. */
  | { readonly kind: "failed"; readonly reason: string }
  /** The model reports that the task cannot be done as described. */
  | { readonly kind: "impossible"; readonly reason: string }
  /** A turn failed or was cancelled, which it has said itself: the whole run stops. */
  | { readonly kind: "stopped" };
