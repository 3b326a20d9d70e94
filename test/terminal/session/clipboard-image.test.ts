import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readClipboardImage } from "../../../src/terminal/session/clipboard-image.ts";

function withPrograms(programs: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "cairn-clipboard-"));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { PATH: folder };
}

it("reads the image with the first working program", async () => {
  const env = withPrograms({ "wl-paste": "exit 1", xclip: 'printf "image of $*"' });
  expect(Buffer.from(await readClipboardImage(env)).toString()).toBe(
    "image of -selection clipboard -target image/png -out",
  );
});

it("reports a missing image or program", async () => {
  await expect(readClipboardImage(withPrograms({ xclip: "exit 1" }))).rejects.toThrow(
    "There is no image on the clipboard.",
  );
  await expect(readClipboardImage(withPrograms({}))).rejects.toThrow("install wl-paste");
});
