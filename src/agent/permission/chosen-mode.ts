import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isInside } from "../../shared/is-inside.ts";
import { PERMISSION_MODES, type PermissionMode } from "../ports/permission-mode.ts";

export interface ChosenModeOptions {
  readonly projectRoot: string;
  /** The setting; undefined: by what confines. */
  readonly mode: PermissionMode | undefined;
  readonly isServer: boolean;
}

/** The mode of a host: that of the setting, of the person's key, or of what confines commands. */
export class ChosenMode {
  /** Resolves with the mode once it is known what confines. */
  readonly settled: Promise<PermissionMode>;
  #settle: (mode: PermissionMode) => void = () => undefined;
  readonly #options: ChosenModeOptions;
  #current: PermissionMode;
  #isConfined = false;
  /** The person has chosen it by a key. */
  #isChosen = false;
  #canAsk = false;

  constructor(options: ChosenModeOptions) {
    this.#options = options;
    this.#current = options.mode ?? "ask";
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get current(): PermissionMode {
    return this.#current;
  }

  /** True if something confines commands, as far as it is known. */
  get isConfined(): boolean {
    return this.#isConfined;
  }

  set(mode: PermissionMode): void {
    this.#isChosen = true;
    this.#current = mode;
  }

  /** The next mode, as one key goes through them. */
  cycle(): PermissionMode {
    const next = (PERMISSION_MODES.indexOf(this.#current) + 1) % PERMISSION_MODES.length;
    this.set(PERMISSION_MODES[next] ?? "ask");
    return this.#current;
  }

  /** Chooses the mode where no setting does. */
  settle(isConfined: boolean): void {
    this.#isConfined = isConfined;
    this.#choose();
    this.#settle(this.#current);
  }

  /** Somebody answers questions: a server that nothing confines asks from then on, also after they have left. */
  noteAnswerer(): void {
    this.#canAsk = true;
    this.#choose();
  }

  #choose(): void {
    if (this.#options.mode !== undefined || this.#isChosen) return;
    const { projectRoot, isServer } = this.#options;
    const isConfined = this.#isConfined;
    const runsUnasked = isServer && !this.#canAsk;
    this.#current = defaultMode({ projectRoot, isConfined, runsUnasked });
  }
}

interface Ground {
  /** Real path. */
  readonly projectRoot: string;
  readonly isConfined: boolean;
  /** A server none of whose clients answers questions. */
  readonly runsUnasked: boolean;
}

/** The mode where no setting names one. */
export function defaultMode({ projectRoot, isConfined, runsUnasked }: Ground): PermissionMode {
  if (holdsHome(projectRoot)) return "ask";
  return isConfined || runsUnasked ? "auto" : "ask";
}

/**
 * True if nearly everything of a user is "in the project": the home folder, and what it lies in.
 */
export function holdsHome(projectRoot: string): boolean {
  return isInside(projectRoot, realRoot(homedir()));
}

export function realRoot(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A folder that is gone has no other name.
    return path;
  }
}
