import type { GuardedLocations } from "./find-guarded.ts";

export interface FilesystemRules {
  readonly allowWrite: readonly string[];
  readonly denyWrite: readonly string[];
  readonly denyRead: readonly string[];
  /** Readable exceptions within unreadable folders. */
  readonly allowRead: readonly string[];
  /** Files by name of the credential. */
  readonly credentials: Readonly<Record<string, readonly string[]>>;
}

export interface NetworkRules {
  /** `example.com`, `*.example.com`, `localhost:3000`. */
  readonly allow: readonly string[];
  /** All other hosts except this machine. */
  readonly isOpen: boolean;
}

export interface GuardedProject extends GuardedLocations {
  readonly asideFolder: string;
}

export interface SandboxRules {
  readonly filesystem: FilesystemRules;
  readonly network: NetworkRules;
  /** Undefined if commands cannot write in the project. */
  readonly project: GuardedProject | undefined;
  /** Temporary files of each scope; undefined: commands use the shared folder. */
  readonly temporary?: string;
}

export type SandboxRequest = { readonly id: number } & SandboxWork;

export type SandboxWork =
  | { readonly start: true }
  | {
      readonly wrap: string;
      readonly readOnly: boolean;
      readonly makesNothing: boolean;
      /** Empty: none. */
      readonly credential: string;
      /** Letters and digits; see `WrapOptions`. */
      readonly scope: string;
      /** Shell text before the command. */
      readonly first: string;
    }
  /** The response lists the files that were moved away; empty if none. */
  | {
      readonly finished: true;
      readonly readOnly: boolean;
      readonly makesNothing: boolean;
    };

/** A message for the user, or a host for the log. */
export type SandboxNotice =
  | { readonly notice: string }
  | { readonly host: string; readonly isAllowed: boolean };

export type SandboxAnswer =
  | { readonly id: number; readonly result: string; readonly error?: undefined }
  | { readonly id: number; readonly error: string; readonly result?: undefined };
