import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { invalidInput, isMissingFile } from "../../kernel/errors.ts";
import { jsonIn } from "../../kernel/parse-json.ts";

/** Where the key of a service is: in this file, or in the keyring that a command opens. */
const kept = z.union([
  z.strictObject({ key: z.string().min(1) }),
  z.strictObject({ command: z.array(z.string()).min(1) }),
]);

const file = z.record(z.string(), kept);

export type KeptKey = z.output<typeof kept>;

/** Keys of services that a person logged in to, in a file that only its owner reads. */
export class KeptKeys {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get(service: string): KeptKey | undefined {
    return this.#read()[service];
  }

  put(service: string, key: KeptKey): void {
    this.#write({ ...this.#read(), [service]: key });
  }

  remove(service: string): void {
    const { [service]: _gone, ...others } = this.#read();
    this.#write(others);
  }

  get services(): readonly string[] {
    return Object.keys(this.#read());
  }

  #read(): Readonly<Record<string, KeptKey>> {
    let text: string;
    try {
      text = readFileSync(this.path, "utf8");
    } catch (error) {
      if (isMissingFile(error)) return {};
      throw invalidInput(`${this.path} cannot be read: delete it and log in again.`);
    }
    const read = file.safeParse(jsonIn(text));
    if (read.success) return read.data;
    throw invalidInput(`${this.path} is not as cairn wrote it: delete it and log in again.`);
  }

  #write(all: Readonly<Record<string, KeptKey>>): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    writeFileAtomic.sync(this.path, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  }
}
