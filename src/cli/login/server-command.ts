import { CairnError, invalidInput } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";
import { logInElsewhere, logInHere } from "./log-in-to-server.ts";
import { ServerDoor } from "./server-door.ts";
import type { ServerLogIns } from "./server-log-ins.ts";

export interface ServerCommand {
  readonly line: CommandLine;
  /** The address as given. */
  readonly address: string;
  readonly logIns: ServerLogIns;
  readonly fetch: typeof globalThis.fetch;
}

interface Said {
  readonly output: object;
  readonly text: string;
}

/** `cairn login https://…`: stores a log-in, or prints a token of a stored one. */
export async function logInToServer(
  command: ServerCommand,
  { device, printToken }: { readonly device: boolean; readonly printToken: boolean },
): Promise<Said> {
  const { line, logIns } = command;
  const door = doorOf(command);
  if (printToken) {
    const token = await logIns.token(door);
    return { output: { server: door.url, token }, text: token };
  }
  await door.requireLogIn();
  const { openBrowser } = await import("../page/open-browser.ts");
  const logIn = device ? logInElsewhere : logInHere;
  const tokens = await logIn(door, {
    signal: line.signal,
    show(page) {
      line.stderr.write(`Log in on this page; it is opened where a browser is found:\n${page}\n`);
      if (process.platform !== "win32") void openBrowser(page, { env: line.env });
    },
    showCode(page, code) {
      line.stderr.write(`Open ${page} in any browser, and type this code: ${code}\n`);
    },
  });
  await logIns.keep(door.url, tokens);
  const text = `You are logged in. It is kept in ${logIns.path}, which only you can read.`;
  return { output: { server: door.url, kept: logIns.path }, text };
}

/** `cairn logout https://…`: ends the log-in on the server and deletes it here. */
export async function logOutOfServer(command: ServerCommand): Promise<Said> {
  const door = doorOf(command);
  const taken = await command.logIns.take(door.url);
  if (taken === undefined) throw new CairnError("not_found", `No log-in to ${door.url} is kept.`);
  const ended = await door.revoke(taken.refresh).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const text =
    ended === undefined
      ? "You are logged out, here and at the server."
      : `The log-in is forgotten here; the server could not be told: ${ended}`;
  return { output: { server: door.url, forgotten: true, ended: ended === undefined }, text };
}

function doorOf({ address, fetch, line }: ServerCommand): ServerDoor {
  if (!URL.canParse(address)) throw invalidInput(`"${address}" is no address of a server.`);
  const url = new URL(address);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !isHere) {
    throw invalidInput(`${address}: a log-in goes over https alone.`);
  }
  if (url.username !== "" || url.search !== "" || url.hash !== "") {
    throw invalidInput(`${address}: give the address alone, as https://memory.example.org.`);
  }
  const plain = (url.origin + url.pathname).replace(/\/+$/, "");
  return new ServerDoor(plain, { fetch, signal: line.signal });
}
