/** What commands may write and may not read: absolute paths, each with everything below it. */
export interface FilesystemRules {
  readonly allowWrite: readonly string[];
  readonly denyWrite: readonly string[];
  readonly denyRead: readonly string[];
}

/** What the sandbox's helper process is told; each message with an id is answered with that id. */
export type SandboxRequest =
  | { readonly id: number; readonly start: true }
  | { readonly id: number; readonly wrap: string }
  | { readonly finished: true };

export type SandboxAnswer =
  | { readonly id: number; readonly result: string; readonly error?: undefined }
  | { readonly id: number; readonly error: string; readonly result?: undefined };
