import type { EventStore } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

interface StoredMessage {
  readonly id: number;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

const MAX_MESSAGES = 1_000;
const MAX_BYTES = 4 * 1024 * 1024;

export class RecentMessages implements EventStore {
  readonly #messages: StoredMessage[] = [];
  #lastId = 0;
  #bytes = 0;

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.#lastId += 1;
    const bytes = JSON.stringify(message).length;
    this.#messages.push({ id: this.#lastId, streamId, message, bytes });
    this.#bytes += bytes;
    this.#forgetOldest();
    return String(this.#lastId);
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#messages.find(({ id }) => String(id) === eventId)?.streamId;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#messages.find(({ id }) => String(id) === lastEventId);
    if (last === undefined) throw new Error("The message is no longer kept.");
    for (const { id, streamId, message } of [...this.#messages]) {
      const isPriming = Object.keys(message).length === 0;
      if (id > last.id && streamId === last.streamId && !isPriming) await send(String(id), message);
    }
    return last.streamId;
  }

  #forgetOldest(): void {
    while (this.#messages.length > MAX_MESSAGES || this.#bytes > MAX_BYTES) {
      const oldest = this.#messages.shift();
      if (oldest === undefined) return;
      this.#bytes -= oldest.bytes;
    }
  }
}
