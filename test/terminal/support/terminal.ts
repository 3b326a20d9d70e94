import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { waitUntil } from "../../support/wait-until.ts";

export interface TerminalOptions {
  readonly script: string;
  readonly program?: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Response to the background color query, e.g. `rgb:ffff/ffff/ffff`. */
  readonly background?: string;
}

/** Longer than a redraw and than the interval between two frames of a spinner. */
const GONE_MS = 300;

export class Terminal {
  written = 0;
  raw = "";
  #writtenAt = performance.now();
  readonly exited: Promise<number>;
  readonly #pty;
  readonly #emulator;

  constructor({
    program = process.execPath,
    script,
    args = [],
    cwd,
    columns = 80,
    rows = 24,
    env = {},
    background,
  }: TerminalOptions) {
    const {
      CI: _ci,
      NO_COLOR: _noColor,
      CONTINUOUS_INTEGRATION: _long,
      ...inherited
    } = process.env;
    this.#emulator = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 5000,
      allowProposedApi: true,
    });
    this.#pty = spawn(program, [script, ...args], {
      cols: columns,
      rows,
      cwd,
      env: { ...inherited, TERM: "xterm-256color", ...env } as Record<string, string>,
    });
    this.#pty.onData((data) => {
      this.written += Buffer.byteLength(data);
      this.raw += data;
      this.#writtenAt = performance.now();
      this.#emulator.write(data);
      if (background !== undefined && data.includes("\x1b]11;?")) {
        this.#pty.write(`\x1b]11;${background}\x1b\\`);
      }
    });
    this.exited = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode));
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  async waitForRedraw(columns: number, rows: number): Promise<void> {
    const before = this.written;
    this.resize(columns, rows);
    await this.#until(() => this.written > before, "another screen", 30_000);
    await this.settle();
  }

  get screen(): string {
    return this.#rowsFrom(this.#emulator.buffer.active.baseY);
  }

  get all(): string {
    return this.#rowsFrom(0);
  }

  get cursor(): { readonly before: string; readonly after: string; readonly isVisible: boolean } {
    const { cursorX, cursorY, baseY } = this.#emulator.buffer.active;
    const row = this.#emulator.buffer.active.getLine(baseY + cursorY);
    const isVisible = this.raw.lastIndexOf("\x1b[?25h") > this.raw.lastIndexOf("\x1b[?25l");
    return {
      before: row?.translateToString(false, 0, cursorX) ?? "",
      after: row?.translateToString(true, cursorX) ?? "",
      isVisible,
    };
  }

  async waitFor(text: string | RegExp, timeoutMs = 30_000): Promise<void> {
    const isThere = () =>
      typeof text === "string" ? this.all.includes(text) : text.test(this.all);
    await this.#until(isThere, `${text}`, timeoutMs);
  }

  /** Waits until the text has been missing for a while, since a redraw may erase it for a moment. */
  async waitForGone(text: string): Promise<void> {
    let goneAt: number | undefined;
    const isGone = () => {
      goneAt = this.screen.includes(text) ? undefined : (goneAt ?? performance.now());
      return goneAt !== undefined && performance.now() - goneAt >= GONE_MS;
    };
    await this.#until(isGone, `no ${text}`, 30_000);
  }

  async settle(quietMs = 120): Promise<void> {
    const began = performance.now();
    await this.#until(
      () => performance.now() - Math.max(began, this.#writtenAt) >= quietMs,
      "a screen at rest",
      60_000,
    );
  }

  kill(signal = "SIGKILL"): void {
    this.#pty.kill(signal);
  }

  async #until(isSo: () => boolean, what: string, timeoutMs: number): Promise<void> {
    const otherwise = () => `waited for ${what}, but saw:\n${this.all}`;
    await waitUntil(isSo, { timeoutMs: timeoutMs, intervalMs: 15, describeState: otherwise });
  }

  #rowsFrom(first: number): string {
    const buffer = this.#emulator.buffer.active;
    const rows: string[] = [];
    for (let row = first; row < buffer.length; row += 1) {
      rows.push(buffer.getLine(row)?.translateToString(true) ?? "");
    }
    return rows.join("\n").trimEnd();
  }
}
