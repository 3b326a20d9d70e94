import { copyText } from "../components/copy-button.tsx";
import { FORM_NAMES } from "../data/form-names.ts";
import { getFailure } from "../data/request-failed.ts";
import type { Page } from "../page.ts";
import type { ScreenName } from "../routing/location.ts";
import { isAbout } from "../workbench/form-values.ts";
import { titleOfForm } from "../workbench/operation-form.ts";
import type { ActionOf } from "./action-registry.ts";

export { ACTION_GROUPS, type Targets } from "./action-registry.ts";

export type Action = ActionOf<Page>;

interface Area {
  readonly title: string;
  /** The navigation entry opens the first view. */
  readonly views: readonly (Action & { readonly screen: ScreenName })[];
}

/** Navigation entries with their views. */
export const AREAS: readonly Area[] = [
  { title: "Home", views: [go("home", "Home", "h")] },
  { title: "Agent", views: [go("agent", "Agent", "a")] },
  { title: "Inbox", views: [go("inbox", "Inbox", "i")] },
  {
    title: "Memory",
    views: [go("find", "List", "f"), go("map", "Graph", "m"), go("recall", "Recall", "r")],
  },
  { title: "Activity", views: [go("feed", "Feed", "e"), go("recalls", "Recall log", "l")] },
  {
    title: "Settings",
    views: [
      go("databases", "Databases", "d"),
      go("topics", "Topics", "t"),
      go("bin", "Trash", "b"),
      go("tokens", "Tokens", "k"),
    ],
  },
];

export const GO_ACTIONS = AREAS.flatMap(({ views }) => views);

/** Returns the area that contains a screen; item screens belong to the memory list. */
export function getArea(screen: ScreenName): Area | undefined {
  const shown = screen === "item" ? "find" : screen;
  return AREAS.find(({ views }) => views.some((view) => view.screen === shown));
}

function go(screen: ScreenName, title: string, key: string) {
  return {
    id: `go-${screen}`,
    screen,
    title,
    group: "Go to" as const,
    keys: ["g", key],
    run: ({ router }: Parameters<Action["run"]>[0]) => router.go(router.href({ screen })),
  };
}

const KEYS: Readonly<Record<string, readonly string[]>> = { remember: ["c"] };

export const WRITE_ACTIONS: readonly Action[] = [
  {
    id: "supersede",
    title: "Supersede",
    about: "Replace a fact with a new one; the old one becomes history",
    group: "Write",
    keys: ["s"],
    isWrite: true,
    applies: (_page, { ids }) => ids.length === 1 && /^(fact|ep):\d+$/.test(ids[0] ?? ""),
    run: ({ actions }, { ids }) => {
      actions.overlay.value = { kind: "write", form: "supersede_by", ids };
    },
  },
  ...FORM_NAMES.map(
    (form): Action => ({
      id: `write-${form.name}`,
      title: titleOfForm(form),
      about: form.summary,
      group: "Write",
      isWrite: true,
      ...(KEYS[form.name] && { keys: KEYS[form.name] }),
      ...(form.erases && { isDestructive: true }),
      run: ({ actions }, { ids }) => {
        const values = isAbout(form, ids) ? ids : [];
        actions.overlay.value = { kind: "write", form: form.name, ids: values };
      },
    }),
  ),
];

const OF_THE_ITEM = /^update/;

/** Returns the write actions whose forms accept these items. */
export function writesAbout(ids: readonly string[]): string[] {
  return FORM_NAMES.filter((form) => !OF_THE_ITEM.test(form.name) && isAbout(form, ids)).map(
    ({ name }) => `write-${name}`,
  );
}

export async function logOut({ session, toasts }: Pick<Page, "session" | "toasts">): Promise<void> {
  try {
    const { revokeLogin } = await import("../data/login.ts");
    await revokeLogin(session.token ?? "");
    session.forgetLogin();
  } catch (error) {
    toasts.showError(getFailure(error).message);
  }
}

export const PAGE_ACTIONS: readonly Action[] = [
  {
    id: "palette",
    title: "Command palette",
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
    run({ actions, router }) {
      const field = document.querySelector<HTMLInputElement>(".search input");
      if (field !== null) return field.select();
      actions.typedSearch = "";
      router.go(router.href({ screen: "find" }));
    },
  },
  {
    id: "undo",
    title: "Undo",
    group: "Page",
    keys: ["z"],
    isWrite: true,
    run: ({ writer, router }) => writer.undo(router.location.peek().db),
  },
  {
    id: "redo",
    title: "Redo",
    group: "Page",
    keys: ["Z"],
    isWrite: true,
    run: ({ writer, router }) => writer.redo(router.location.peek().db),
  },
  {
    id: "as-of",
    title: "View memory as of a date",
    group: "Page",
    run: ({ actions }) => {
      actions.overlay.value = { kind: "as-of" };
    },
  },
  {
    id: "help",
    title: "Preferences and help",
    group: "Page",
    keys: ["?"],
    run: ({ actions }) => {
      actions.overlay.value = { kind: "help" };
    },
  },
  ...(["light", "dark", "system"] as const).map(
    (theme): Action => ({
      id: `theme-${theme}`,
      title: `Theme: ${theme}`,
      group: "Page",
      run: ({ preferences }) => preferences.choose({ theme }),
    }),
  ),
  {
    id: "log-out",
    title: "Log out",
    group: "Page",
    applies: ({ session }) => session.isLoggedIn,
    run: logOut,
  },
  {
    id: "copy-link",
    title: "Copy link",
    group: "Page",
    keys: ["Y"],
    run: ({ toasts }) => copyText(toasts, "link", location.href),
  },
];
