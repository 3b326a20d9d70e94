import { z } from "zod";
import { readLogIns, writeLogIns } from "../../shared/log-in-file.ts";

const kept = z.union([
  z.strictObject({ key: z.string().min(1) }),
  z.strictObject({ command: z.array(z.string()).min(1) }),
]);

const file = z.record(z.string(), kept);

export type StoredKey = z.output<typeof kept>;

export class StoredKeys {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get(service: string): StoredKey | undefined {
    return this.#read()[service];
  }

  put(service: string, key: StoredKey): void {
    this.#write({ ...this.#read(), [service]: key });
  }

  remove(service: string): void {
    const { [service]: _gone, ...others } = this.#read();
    this.#write(others);
  }

  get services(): readonly string[] {
    return Object.keys(this.#read());
  }

  #read(): Readonly<Record<string, StoredKey>> {
    return readLogIns(this.path, file) ?? {};
  }

  #write(all: Readonly<Record<string, StoredKey>>): void {
    writeLogIns(this.path, all);
  }
}
