import { messageOf } from "../../shared/errors.ts";
import { THEMES } from "../theme/themes.ts";
import type { SessionPort } from "./session-port.ts";

/** `/theme [auto|dark|light]` */
export async function changeTheme(session: SessionPort, args: string): Promise<boolean> {
  const { theming } = session;
  const wanted = THEMES.find((theme) => theme === args.trim().toLowerCase());
  if (args.trim() === "") {
    const now = theming.theme === "auto" ? `auto (${session.screen.paint})` : theming.theme;
    const off = theming.colors.isOff ? " NO_COLOR is set: without it there are colours." : "";
    session.note("info", `The theme is ${now}. /theme ${THEMES.join("|")} changes it.${off}`);
  } else if (wanted === undefined) {
    session.note("error", `"${args.trim()}" is not a theme: ${THEMES.join(", ")}.`);
  } else {
    try {
      const file = await session.changeTheme(wanted);
      session.note("success", `The theme is ${wanted}${file === undefined ? "" : ` (${file})`}.`);
    } catch (error) {
      session.note("error", `The theme is ${wanted}, but was not kept: ${messageOf(error)}`);
    }
  }
  return true;
}
