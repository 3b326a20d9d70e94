import { effect, signal } from "@preact/signals";
import type { AgentConnection } from "./agent-connection.ts";

/** True if the browser shows notices of this page: a person is asked only when they ask for it. */
export const noticeStanding = signal(standing());

function standing(): NotificationPermission | "impossible" {
  return "Notification" in window ? Notification.permission : "impossible";
}

export async function askForNotices(): Promise<void> {
  await Notification.requestPermission();
  noticeStanding.value = standing();
}

type Show = (title: string, options: NotificationOptions) => void;

/** A click leads back to the page. */
const showOfPage: Show = (title, options) => {
  new Notification(title, options).onclick = () => window.focus();
};

/** Says outside of the page that the agent waits, once for each time that it begins to. */
export function tellWhenItWaits(
  { waiting, questions }: AgentConnection,
  show: Show = showOfPage,
): () => void {
  let former = waiting.peek();
  return effect(() => {
    const count = waiting.value;
    if (count > former && document.hidden && standing() === "granted") {
      const last = questions.peek().at(-1);
      const body = last === undefined ? "Question from the agent" : `${last.tool}: ${last.title}`;
      show("The agent needs your approval", { body, tag: "cairn-agent" });
    }
    former = count;
  });
}
