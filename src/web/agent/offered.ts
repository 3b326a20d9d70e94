import type { CommandHelp } from "./entry.ts";

/** Something that can be put in place of what was typed. */
export interface Offer {
  readonly insert: string;
  readonly title: string;
  readonly detail: string;
}

const MAX_ITEMS = 8;

/** The commands that begin with what was typed; undefined where no command is being typed. */
export function offeredCommands(
  text: string,
  commands: readonly CommandHelp[],
): readonly Offer[] | undefined {
  const typed = /^\/([\w -]*)$/.exec(text)?.[1];
  if (typed === undefined) return undefined;
  return commands
    .filter(({ name }) => name.startsWith(typed) && name !== typed)
    .slice(0, MAX_ITEMS)
    .map(({ name, summary, usage = "" }) => ({
      insert: usage === "" ? `/${name}` : `/${name} `,
      title: `/${name} ${usage}`.trim(),
      detail: summary,
    }));
}

/** What stands behind the `@` that the cursor is at; undefined where it is at none. */
export function mentionAt(text: string, cursor: number): string | undefined {
  return /(?:^|\s)@([^\s@]*)$/.exec(text.slice(Math.max(0, cursor - 512), cursor))?.[1];
}

export function offeredPaths(paths: readonly string[]): readonly Offer[] {
  return paths.slice(0, MAX_ITEMS).map((path) => ({
    insert: path.endsWith("/") ? `@${path}` : `@${path} `,
    title: path,
    detail: "",
  }));
}

export function complete(text: string, cursor: number, { insert }: Offer) {
  if (insert.startsWith("/")) return { text: insert, cursor: insert.length };
  const typed = mentionAt(text, cursor) ?? "";
  const before = text.slice(0, cursor - typed.length - 1) + insert;
  return { text: before + text.slice(cursor), cursor: before.length };
}
