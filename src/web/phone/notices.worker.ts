/** Phones show notices of a worker alone. A tap on one leads back to the page that asks. */
interface NoticeClick extends Event {
  readonly notification: Notification;
  waitUntil(work: Promise<unknown>): void;
}

interface PageClient {
  focus(): Promise<unknown>;
}

interface WorkerScope extends EventTarget {
  readonly clients: {
    matchAll(which: { type: "window"; includeUncontrolled: true }): Promise<readonly PageClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
}

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener("notificationclick", (event) => {
  const { notification, waitUntil } = event as NoticeClick;
  notification.close();
  waitUntil.call(event, comeBack());
});

async function comeBack(): Promise<void> {
  const [page] = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  await (page === undefined ? scope.clients.openWindow("/phone") : page.focus());
}
