import { completePath, findPathQuery, type PathQuery } from "../completion/complete-path.ts";
import type { Completion } from "../completion/completion.ts";
import { listProjectPaths } from "../completion/list-project-paths.ts";
import type { Editor } from "../editor/editor.ts";

/** How long a listing of the project is good enough. */
const PATHS_KEPT_MS = 10_000;

/** Offers paths of the project; `editor` tells what is typed by the time they were read. */
export type PathCompleter = (
  query: PathQuery,
  editor: () => Editor,
) => Promise<{ readonly completion: Completion | undefined } | undefined>;

/** Undefined from the completer: another key came meanwhile, nothing is to be shown. */
export function createPathCompleter(root: string, now: () => number): PathCompleter {
  let kept: { readonly at: number; readonly list: Promise<readonly string[]> } | undefined;
  return async (query, editor) => {
    if (kept === undefined || now() - kept.at > PATHS_KEPT_MS) {
      kept = { at: now(), list: listProjectPaths(root) };
    }
    const paths = await kept.list;
    const { text, cursor } = editor();
    const current = findPathQuery(text, cursor);
    if (current?.typed !== query.typed || current.from !== query.from) return undefined;
    return { completion: completePath(current, paths) };
  };
}
