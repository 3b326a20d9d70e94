import type { Environment } from "../../shared/environment.ts";
import { CairnError, isMissingFile } from "../../shared/errors.ts";
import { runProgram } from "../../shared/programs.ts";

const READ_TIMEOUT_MS = 3_000;
const MAX_BYTES = 64 * 1024 * 1024;

const CLIPBOARD_READERS = [
  { program: "wl-paste", args: ["--no-newline", "--type", "image/png"] },
  { program: "xclip", args: ["-selection", "clipboard", "-target", "image/png", "-out"] },
  { program: "pngpaste", args: ["-"] },
] as const;

/** Throws unavailable without an image or a clipboard program. */
export async function readClipboardImage(env: Environment): Promise<Uint8Array> {
  let isInstalled = false;
  for (const { program, args } of CLIPBOARD_READERS) {
    try {
      const options = {
        env,
        encoding: "buffer",
        timeout: READ_TIMEOUT_MS,
        maxBuffer: MAX_BYTES,
      } as const;
      const { stdout } = await runProgram(program, args, options);
      if (stdout.length > 0) return stdout;
      isInstalled = true;
    } catch (error) {
      isInstalled ||= !isMissingFile(error);
    }
  }
  throw new CairnError(
    "unavailable",
    isInstalled
      ? "There is no image on the clipboard."
      : "The clipboard cannot be read: install wl-paste (Wayland), xclip (X11) or pngpaste (macOS), or drop an image file into the terminal.",
  );
}
