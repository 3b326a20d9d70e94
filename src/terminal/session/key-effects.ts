import type { Effect } from "../state/pressed.ts";
import { editInput } from "./edit-input.ts";
import { insertImage } from "./insert-image.ts";
import { PathCompleter } from "./path-completer.ts";
import type { SessionPort } from "./session-port.ts";
import type { Submissions } from "./submissions.ts";

/** What the terminal and its machine do for the keys. */
export interface EffectTools {
  /** Absolute. */
  readonly projectRoot: string;
  readonly now: () => number;
  /** Clears the screen and draws it again. */
  readonly redraw: () => void;
  /** Gives the terminal back to the shell until that goes on with this program. */
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
