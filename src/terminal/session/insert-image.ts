import { type Editor, insertPaste, insertText } from "../editor/editor.ts";
import type { Effect } from "../state/pressed.ts";
import { readImageFile } from "./read-image-file.ts";
import type { ScreenPort } from "./screen-port.ts";

/**
 * Puts the mention of an image into the input: of a file whose path was pasted, or of the clipboard.
 * What names no file that is there stays the text that it is.
 */
export async function insertImage(
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
