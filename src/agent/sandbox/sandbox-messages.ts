import type { GuardedPlaces } from "./find-guarded.ts";

export interface FilesystemRules {
  readonly allowWrite: readonly string[];
  readonly denyWrite: readonly string[];
  readonly denyRead: readonly string[];
  /** Readable though they lie in what is not. */
  readonly allowRead: readonly string[];
  /** Files of each credential, by its name, that a command may be granted. */
  readonly credentials: Readonly<Record<string, readonly string[]>>;
}

export interface NetworkRules {
  /** `example.com`, `*.example.com`, `localhost:3000`. */
  readonly allow: readonly string[];
  /** Every other host, too, but nothing of this machine. */
  readonly isOpen: boolean;
}

export interface GuardedProject extends GuardedPlaces {
  readonly asideFolder: string;
}

/** All that a helper process is started with. */
export interface SandboxRules {
  readonly filesystem: FilesystemRules;
  readonly network: NetworkRules;
  /** Undefined where commands cannot write in the project anyway. */
  readonly project: GuardedProject | undefined;
  /** Holds the temporary files of each scope; undefined where commands see those of the machine. */
  readonly temporary?: string;
}

export type SandboxRequest = { readonly id: number } & SandboxWork;

export type SandboxWork =
  | { readonly start: true }
  | {
      readonly wrap: string;
      readonly readOnly: boolean;
      /** See `WrapOptions`. */
      readonly makesNothing: boolean;
      /** Name of the credential that it may read; empty: none. */
      readonly credential: string;
      /** Letters and digits; see `WrapOptions`. */
      readonly scope: string;
      /** Shell text that goes before the command. */
      readonly first: string;
    }
  /** Answered with a text about what the command made and was moved aside; empty: nothing. */
  | {
      readonly finished: true;
      readonly readOnly: boolean;
      readonly makesNothing: boolean;
    };

/** For the person, whatever the model is told; or for the log: a host that a command asked for. */
export type SandboxNotice =
  | { readonly notice: string }
  | { readonly host: string; readonly isAllowed: boolean };

export type SandboxAnswer =
  | { readonly id: number; readonly result: string; readonly error?: undefined }
  | { readonly id: number; readonly error: string; readonly result?: undefined };
