import type { Teller } from "../../agent/index.ts";
import { stripControl } from "../../shared/text.ts";
import { toRecallView } from "../memory/recall-view.ts";
import { userItem } from "../state/reduce.ts";
import type { NoteTone } from "../state/screen.ts";
import { drawHelp, runLocalCommand } from "./local-commands.ts";
import type { SessionPort } from "./session-port.ts";

/** Runs a command of the screen, or one of the agent that waits for no run; false: it is neither. */
export async function runHere(session: SessionPort, text: string): Promise<boolean> {
  if (await runLocalCommand(session, text)) return true;
  const host = session.connection?.host;
  if (host === undefined) return false;
  return host.runImmediate(text, {
    dialogue: screenTeller(session, text),
    threadId: session.screen.threadId,
    sessions: {
      resume: (threadId) => session.sessions.resume(threadId),
      pick: () => session.sessions.pick(),
    },
  });
}

/** Tells on the screen, below what was typed. */
function screenTeller(session: SessionPort, text: string): Teller {
  let isEchoed = false;
  const echo = () => {
    if (!isEchoed) session.dispatch({ type: "append", items: [userItem(text)] });
    isEchoed = true;
  };
  const say = (tone: NoteTone) => (message: string) => {
    echo();
    session.note(tone, stripControl(message));
  };
  return {
    info: say("info"),
    success: say("success"),
    print: say("print"),
    error: say("error"),
    show(view) {
      if (view.kind === "help") {
        say("print")(drawHelp(view.commands));
        return;
      }
      echo();
      const recall = toRecallView(view.query, view.found, new Date());
      session.dispatch({ type: "append", items: [{ kind: "recall", recall }] });
    },
  };
}
