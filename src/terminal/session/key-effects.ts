import { readFile, stat } from "node:fs/promises";
import { messageOf } from "../../shared/errors.ts";
import { type Editor, expandedText, insertPaste, insertText, setText } from "../editor/editor.ts";
import type { Effect } from "../state/pressed.ts";
import { PathCompleter } from "./path-completer.ts";
import type { ScreenPort } from "./screen-port.ts";
import type { SessionPort } from "./session-port.ts";
import type { Submissions } from "./submissions.ts";

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
    else session.note("info", "Images can be pasted once the session is ready.");
    return;
  }
  const mention = await host.keepImage(bytes);
  insert((editor) => insertText(editor, `${mention} `));
}

export interface EffectTools {
  /** Absolute. */
  readonly projectRoot: string;
  readonly now: () => number;
  /** Clears the screen and draws it again. */
  readonly redraw: () => void;
  readonly suspend: () => void;
  /** Lets the person change a text in an editor of their own; throws what keeps it from opening. */
  readonly editExternally?: (text: string) => string;
  /** Throws what keeps it from being read. */
  readonly clipboardImage?: () => Promise<Uint8Array>;
}

interface KeyEffectsOptions {
  readonly session: SessionPort;
  readonly submissions: Submissions;
  readonly tools: EffectTools;
  /** Tells what goes wrong. */
  inBackground(work: Promise<unknown>): void;
}

/** Carries out what a key asks for beyond the screen. */
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
    session.note("info", "Your editor opens once nothing runs.");
    return;
  }
  try {
    const text = editExternally(expandedText(editor));
    session.show({ ...session.screen, editor: setText(editor, text) });
  } catch (error) {
    session.note("error", messageOf(error));
  }
}
