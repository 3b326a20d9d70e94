import type { ModelQuery } from "../completion/complete-model.ts";
import type { PathQuery } from "../completion/complete-path.ts";
import type { Screen } from "./screen.ts";

export type Effect =
  | { readonly type: "submit"; readonly text: string }
  | { readonly type: "cancel" }
  | { readonly type: "exit" }
  | { readonly type: "redraw" }
  | { readonly type: "suspend" }
  | { readonly type: "edit" }
  /** Puts the image on the clipboard, or the one in a file, into the message. */
  | { readonly type: "image"; readonly file?: string; readonly pasted?: string }
  /** The next permission mode. */
  | { readonly type: "mode" }
  | { readonly type: "paths"; readonly query: PathQuery }
  | { readonly type: "models"; readonly query: ModelQuery }
  | { readonly type: "resume"; readonly threadId: string }
  /** Go on in a copy of a session. */
  | { readonly type: "fork"; readonly threadId: string }
  | { readonly type: "rename"; readonly threadId: string; readonly title: string };

export interface Pressed {
  readonly screen: Screen;
  readonly effects: readonly Effect[];
}

export function done(screen: Screen, ...effects: readonly Effect[]): Pressed {
  return { screen, effects };
}
