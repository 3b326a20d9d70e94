import { unzipSync } from "fflate";
import { invalidInput, messageOf } from "../../../shared/errors.ts";
import type { ImportInput } from "../import-input.ts";

/** Limits unpacked size: a small archive can expand to fill the disk. */
const MAX_ENTRY_BYTES = 512 * 1024 * 1024;

export async function isZip(input: ImportInput): Promise<boolean> {
  const [p, k, three, four] = await input.peek();
  return p === 0x50 && k === 0x4b && three === 3 && four === 4;
}

/** Returns the ZIP entries with these base names, keyed by base name; the first match wins. */
export async function readZipEntries(
  input: ImportInput,
  names: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const bytes = await input.bytes();
  const selected = new Set<string>();
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        const base = baseName(name);
        if (!names.includes(base) || selected.has(base)) return false;
        if (originalSize > MAX_ENTRY_BYTES) throw new Error(`${name} is larger than 512 MiB`);
        selected.add(base);
        return true;
      },
    });
    return new Map(Object.entries(files).map(([name, data]) => [baseName(name), data]));
  } catch (error) {
    throw invalidInput(
      `file: ${input.label} is not a valid ZIP file (${messageOf(error)}); unpack it and pass the file inside`,
    );
  }
}

function baseName(name: string): string {
  return name.split("/").at(-1) ?? name;
}
