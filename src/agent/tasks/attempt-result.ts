export type AttemptResult =
  | { readonly kind: "passed" }
  /** Worth another attempt, which gets the reason. */
  | { readonly kind: "failed"; readonly reason: string }
  /** A turn failed or was cancelled, which it has said itself: the whole run stops. */
  | { readonly kind: "stopped" };
