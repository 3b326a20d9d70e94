import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";

/** What a program asks the broker for. */
export interface BrokerRequest {
  readonly method: string;
  /** Behind the address of the door, without a slash before it, as it was written. */
  readonly path: string;
  /** `?a=b`, or empty. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  /** The command sends to others, which a person or a rule allowed. */
  readonly publishes: boolean;
  /** Of this door and this command, without a slash at its end. */
  readonly address: string;
  /** Before a key is used: rejects where that cannot be noted, and then it is not used. */
  readonly note: (use: string) => Promise<void>;
}

export interface BrokerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Readable | Buffer | string;
}

/** What the broker logs in to for one kind of programs. */
export interface Door {
  /** Shell text by which programs come to it; `address` as in a request. */
  lead(address: string, publishes: boolean): string;
  /** Throws what the program is told where it is refused. */
  answer(request: BrokerRequest): Promise<BrokerAnswer>;
}

/** Shell text that sets variables for everything that the command starts. */
export function exported(variables: Readonly<Record<string, string>>): string {
  const words = Object.entries(variables).map(([name, value]) => `${name}=${shellQuoted(value)}`);
  return words.length === 0 ? "" : `export ${words.join(" ")}; `;
}

export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
