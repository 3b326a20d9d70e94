import type { AgentConnection } from "../agent/agent-connection.ts";
import { askForNotices, noticeStanding, tellWhenItWaits } from "../agent/notices.ts";
import { workerAddress } from "../data/worker-address.ts";

/** Notices of the phone's page. Browsers have none for a page that came over http from another computer. */
export class PhoneNotices {
  #registration: ServiceWorkerRegistration | undefined;

  /** Tells of what `connection` waits for, once a person has allowed it. Returns how to stop. */
  tellOf(connection: AgentConnection): () => void {
    if (noticeStanding.peek() === "granted") this.#register();
    return tellWhenItWaits(connection, (title, options) => {
      this.#registration?.showNotification(title, options).catch(warn);
    });
  }

  async ask(): Promise<void> {
    await askForNotices();
    if (noticeStanding.peek() === "granted") this.#register();
  }

  #register(): void {
    if (this.#registration !== undefined) return;
    try {
      const options = { type: "module" } as const;
      navigator.serviceWorker.register(workerAddress(), options).then((registration) => {
        this.#registration = registration;
      }, warn);
    } catch (error) {
      warn(error);
    }
  }
}

/** The questions stand on the page all the same. */
function warn(error: unknown): void {
  console.warn(`No notices are shown: ${String(error)}`);
}
