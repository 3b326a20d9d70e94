import { messageOf } from "../../shared/errors.ts";
import { expandedText, setText } from "../editor/editor.ts";
import type { ScreenPort } from "./screen-port.ts";

/**
 * Lets the person change what is in the input in an editor of their own. Everything stands still
 * meanwhile, so nothing may be at work.
 */
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
