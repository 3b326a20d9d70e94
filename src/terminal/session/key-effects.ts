import { readFile, stat } from "node:fs/promises";
import { messageOf } from "../../shared/errors.ts";
import {
  addPaths,
  bestMatches,
  createPathIndex,
  type SearchProgress,
  searchPaths,
} from "../../shared/fuzzy-match.ts";
import { listProjectPaths } from "../../shared/list-project-paths.ts";
import {
  type Completion,
  completePaths,
  findPathQuery,
  type PathQuery,
} from "../completion/complete-path.ts";
import { type Editor, expandedText, insertPaste, insertText, setText } from "../editor/editor.ts";
import type { Effect } from "../state/screen.ts";
import type { SessionPort } from "./local-commands.ts";
import type { ScreenPort } from "./local-prompts.ts";
import type { Submissions } from "./submissions.ts";

const PATHS_CACHE_TTL_MS = 30_000;
const MAX_OFFERED = 50;
const MAX_SEARCHES = 5;
const PATHS_PER_SLICE = 2_000;
/** Time after which partial results are shown while the search continues. */
const FIRST_RESULTS_MS = 12;

interface PathCompleterOptions {
  readonly root: string;
  readonly now: () => number;
  readonly editor: () => Editor;
  readonly resources: () => readonly string[];
  readonly show: (completion: Completion | undefined) => void;
}

export class PathCompleter {
  readonly #options: PathCompleterOptions;
  #index = createPathIndex();
  #listedAt = Number.NEGATIVE_INFINITY;
  #isListing = false;
  #query: PathQuery | undefined;
  #last:
    | { readonly typed: string; readonly found: SearchProgress; readonly size: number }
    | undefined;
  #turn = 0;

  constructor(options: PathCompleterOptions) {
    this.#options = options;
  }

  offer(query: PathQuery): void {
    this.#query = query;
    this.#listAgain();
    void this.#search();
  }

  #listAgain(): void {
    const { now, root } = this.#options;
    if (this.#isListing || now() - this.#listedAt <= PATHS_CACHE_TTL_MS) return;
    this.#isListing = true;
    const fresh = createPathIndex();
    const isFirst = this.#index.paths.length === 0;
    if (isFirst) this.#index = fresh;
    void listProjectPaths(root, (paths) => {
      addPaths(fresh, paths);
      if (isFirst) void this.#search();
    }).then(() => {
      this.#isListing = false;
      this.#listedAt = now();
      this.#index = fresh;
      this.#last = undefined;
      void this.#search();
    });
  }

  async #search(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const query = this.#query;
    if (query === undefined) return;
    const index = this.#index;
    const size = index.paths.length;
    const last = this.#last;
    const goesOn = last !== undefined && last.size === size && query.typed.startsWith(last.typed);
    const among = goesOn ? last.found.positions : undefined;
    const found: SearchProgress = { positions: [], best: [] };
    const end = among?.length ?? size;
    let shownAt = performance.now();
    for (let from = 0; from < end; from += PATHS_PER_SLICE) {
      const slice = {
        from,
        to: Math.min(end, from + PATHS_PER_SLICE),
        ...(among !== undefined && { among }),
      };
      searchPaths(index, query.typed, { slice, found, limit: MAX_OFFERED });
      if (performance.now() - shownAt < FIRST_RESULTS_MS) continue;
      this.#show(query, found);
      await new Promise((resolve) => setImmediate(resolve));
      if (turn !== this.#turn) return;
      shownAt = performance.now();
    }
    this.#last = { typed: query.typed, found, size };
    if (!this.#isListing || found.best.length > 0) this.#show(query, found);
  }

  #show(query: PathQuery, { best }: SearchProgress): void {
    const { text, cursor } = this.#options.editor();
    const current = findPathQuery(text, cursor);
    if (current?.typed !== query.typed || current.from !== query.from) return;
    const { resources, show } = this.#options;
    const matches = bestMatches(resources(), query.typed, MAX_SEARCHES);
    const paths = best.map(({ path }) => path);
    show(
      completePaths(current, query.typed === "" ? [...paths, ...matches] : [...matches, ...paths]),
    );
  }
}

const MAX_BYTES = 64 * 1024 * 1024;

async function readImageFile(path: string): Promise<Uint8Array | undefined> {
  try {
    const info = await stat(path);
    return info.isFile() && info.size <= MAX_BYTES ? await readFile(path) : undefined;
  } catch {
    return undefined;
  }
}

async function insertImage(
  session: ScreenPort,
  { file, pasted }: Extract<Effect, { type: "image" }>,
  clipboardImage: (() => Promise<Uint8Array>) | undefined,
): Promise<void> {
  const { host } = session.connection ?? {};
  const bytes = file === undefined ? await clipboardImage?.() : await readImageFile(file);
  const insert = (change: (editor: Editor) => Editor) =>
    session.show({ ...session.screen, editor: change(session.screen.editor) });
  if (bytes === undefined || host === undefined) {
    if (pasted !== undefined) insert((editor) => insertPaste(editor, pasted));
    else session.note("info", "The session is not ready for images yet.");
    return;
  }
  const mention = await host.storeImage(bytes);
  insert((editor) => insertText(editor, `${mention} `));
}

export interface EffectTools {
  readonly projectRoot: string;
  readonly now: () => number;
  readonly redraw: () => void;
  readonly suspend: () => void;
  /** Opens the user's editor; throws if it fails. */
  readonly editExternally?: (text: string) => string;
  readonly clipboardImage?: () => Promise<Uint8Array>;
}

interface KeyEffectsOptions {
  readonly session: SessionPort;
  readonly submissions: Submissions;
  readonly tools: EffectTools;
  inBackground(work: Promise<unknown>): void;
}

export class KeyEffects {
  readonly #options: KeyEffectsOptions;
  readonly #paths: PathCompleter;

  constructor(options: KeyEffectsOptions) {
    this.#options = options;
    const { session, tools } = options;
    this.#paths = new PathCompleter({
      root: tools.projectRoot,
      now: tools.now,
      editor: () => session.screen.editor,
      resources: () =>
        session.connection?.host.mcpServers.resources().map(({ mention }) => mention) ?? [],
      show: (completion) => session.dispatch({ type: "completion", completion }),
    });
  }

  carryOut(effect: Effect): void {
    const { session, submissions, tools, inBackground } = this.#options;
    switch (effect.type) {
      case "submit":
        submissions.take(effect.text);
        return;
      case "cancel":
        inBackground(this.#cancel());
        return;
      case "exit":
        session.leave();
        return;
      case "redraw":
        tools.redraw();
        return;
      case "suspend":
        tools.suspend();
        return;
      case "mode":
        this.#nextMode();
        return;
      case "edit":
        editInput(session, tools.editExternally);
        return;
      case "image":
        inBackground(insertImage(session, effect, tools.clipboardImage));
        return;
      case "paths":
        this.#paths.offer(effect.query);
        return;
      case "models":
        inBackground(session.models.offer(effect.query));
        return;
      case "resume":
        inBackground(session.sessions.resume(effect.threadId));
        return;
      case "fork":
        inBackground(session.sessions.fork(effect.threadId));
        return;
      case "rename":
        inBackground(session.sessions.rename(effect.threadId, effect.title));
        return;
    }
  }

  #nextMode(): void {
    const { session } = this.#options;
    const permission = session.connection?.host.permission;
    if (permission === undefined) return;
    session.dispatch({ type: "status", status: { permissionMode: permission.cycleMode() } });
  }

  async #cancel(): Promise<void> {
    const { session } = this.#options;
    if (session.questions.isOpen) {
      session.questions.leave();
      return;
    }
    const { threadId } = session.screen;
    session.dispatch({ type: "stopping" });
    session.dispatch({ type: "unsend" });
    if (threadId !== undefined) await session.connection?.host.cancel(threadId, { queued: "drop" });
  }
}

export function editInput(
  session: Pick<ScreenPort, "note" | "screen" | "show">,
  editExternally: ((text: string) => string) | undefined,
): void {
  const { editor, run, prompt } = session.screen;
  if (editExternally === undefined || prompt?.isSecret === true) return;
  if (run !== undefined) {
    session.note("info", "Wait until the run ends before you open the editor.");
    return;
  }
  try {
    const text = editExternally(expandedText(editor));
    session.show({ ...session.screen, editor: setText(editor, text) });
  } catch (error) {
    session.note("error", messageOf(error));
  }
}
