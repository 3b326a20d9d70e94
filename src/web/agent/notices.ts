import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Question } from "./entry.ts";

/**
 * Notification permission of the browser. It is requested only when the user enables notifications.
 */
export const noticePermission = signal(readPermission());

function readPermission(): NotificationPermission | "impossible" {
  return "Notification" in window ? Notification.permission : "impossible";
}

export async function requestNotices(): Promise<void> {
  await Notification.requestPermission();
  noticePermission.value = readPermission();
}

type Show = (title: string, options: NotificationOptions) => void;

/** A click on the notification focuses the page. */
const showOfPage: Show = (title, options) => {
  new Notification(title, options).onclick = () => window.focus();
};

interface WaitingAgent {
  readonly waiting: ReadonlySignal<number>;
  readonly questions: ReadonlySignal<readonly Question[]>;
}

/** Notifies the user once each time the agent starts to wait. */
export function notifyWhenWaiting(
  { waiting, questions }: WaitingAgent,
  show: Show = showOfPage,
): () => void {
  let previous = waiting.peek();
  return effect(() => {
    const count = waiting.value;
    if (count > previous && document.hidden && readPermission() === "granted") {
      const last = questions.peek().at(-1);
      const body = last === undefined ? "Question from the agent" : `${last.tool}: ${last.title}`;
      show("The agent needs your approval", { body, tag: "cairn-agent" });
    }
    previous = count;
  });
}
