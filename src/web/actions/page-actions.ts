import { revokeLogIn } from "../data/log-in.ts";
import { failureOf } from "../data/request-failed.ts";
import type { Page } from "../page.ts";
import type { Action } from "./action.ts";

export async function logOut({ session, toasts }: Pick<Page, "session" | "toasts">): Promise<void> {
  try {
    await revokeLogIn(session.token ?? "");
    session.forgetLogIn();
  } catch (error) {
    toasts.tellError(failureOf(error).message);
  }
}

export const PAGE_ACTIONS: readonly Action[] = [
  {
    id: "palette",
    title: "Do anything",
    group: "Page",
    keys: ["Mod+k"],
    run: ({ actions }) => {
      actions.overlay.value = { kind: "palette" };
    },
  },
  {
    id: "search",
    title: "Search",
    group: "Page",
    keys: ["/"],
    run({ router }) {
      const field = document.querySelector<HTMLInputElement>("input[type=search]");
      if (field !== null) return field.select();
      router.go(router.href({ screen: "find" }));
      requestAnimationFrame(() =>
        document.querySelector<HTMLInputElement>("input[type=search]")?.select(),
      );
    },
  },
  {
    id: "undo",
    title: "Undo",
    group: "Page",
    keys: ["z"],
    isWrite: true,
    run: ({ writer, router }) => writer.undo(router.place.peek().db),
  },
  {
    id: "redo",
    title: "Redo",
    group: "Page",
    keys: ["Z"],
    isWrite: true,
    run: ({ writer, router }) => writer.redo(router.place.peek().db),
  },
  {
    id: "help",
    title: "Keys and help",
    group: "Page",
    keys: ["?"],
    run: ({ actions }) => {
      actions.overlay.value = { kind: "help" };
    },
  },
  {
    id: "preferences",
    title: "Preferences: theme, density, keys",
    group: "Page",
    run: ({ actions }) => {
      actions.overlay.value = { kind: "preferences" };
    },
  },
  {
    id: "log-out",
    title: "Log out",
    group: "Page",
    applies: ({ session }) => session.isLoggedIn,
    run: logOut,
  },
  {
    id: "copy-link",
    title: "Copy the link to this view",
    group: "Page",
    keys: ["Y"],
    async run({ toasts }) {
      await navigator.clipboard.writeText(location.href);
      toasts.tell("Copied the link.");
    },
  },
];
