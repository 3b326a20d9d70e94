import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isInside } from "../../shared/is-inside.ts";
import { PERMISSION_MODES, type PermissionMode } from "../ports/permission-mode.ts";

export interface ChosenModeOptions {
  readonly projectRoot: string;
  readonly mode: PermissionMode | undefined;
  readonly isServer: boolean;
}

/** Mode from the setting, the user's key, or whether commands are confined. */
export class ChosenMode {
  readonly settled: Promise<PermissionMode>;
  #settle: (mode: PermissionMode) => void = () => undefined;
  readonly #options: ChosenModeOptions;
  #current: PermissionMode;
  #isConfined = false;
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

  get isConfined(): boolean {
    return this.#isConfined;
  }

  set(mode: PermissionMode): void {
    this.#isChosen = true;
    this.#current = mode;
  }

  cycle(): PermissionMode {
    const next = (PERMISSION_MODES.indexOf(this.#current) + 1) % PERMISSION_MODES.length;
    this.set(PERMISSION_MODES[next] ?? "ask");
    return this.#current;
  }

  settle(isConfined: boolean): void {
    this.#isConfined = isConfined;
    this.#choose();
    this.#settle(this.#current);
  }

  /** A client that can answer: an unconfined server asks from now on. */
  noteAnswerer(): void {
    this.#canAsk = true;
    this.#choose();
  }

  #choose(): void {
    if (this.#options.mode !== undefined || this.#isChosen) return;
    const { projectRoot, isServer } = this.#options;
    const isConfined = this.#isConfined;
    const runsWithoutApproval = isServer && !this.#canAsk;
    this.#current = defaultMode({ projectRoot, isConfined, runsWithoutApproval });
  }
}

interface ModeGround {
  readonly projectRoot: string;
  readonly isConfined: boolean;
  /** A server without a client that answers questions. */
  readonly runsWithoutApproval: boolean;
}

export function defaultMode({
  projectRoot,
  isConfined,
  runsWithoutApproval,
}: ModeGround): PermissionMode {
  if (containsHome(projectRoot)) return "ask";
  return isConfined || runsWithoutApproval ? "auto" : "ask";
}

/** True if the project is the home folder or contains it. */
export function containsHome(projectRoot: string): boolean {
  return isInside(projectRoot, realRoot(homedir()));
}

export function realRoot(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
