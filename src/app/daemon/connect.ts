// Part of the client: nothing but parts of Node.js is imported here.
import { connect as connectTo, type Socket } from "node:net";
import { isOwnFolder, socketIn } from "./daemon-place.ts";

/**
 * A connection to the daemon of this folder; undefined where none listens, or the folder is not this
 * user's alone. The system connects while this process is in the folder; it is back when this returns.
 */
export async function connectToDaemon(folder: string): Promise<Socket | undefined> {
  const socket = connectFrom(folder);
  if (socket === undefined) return undefined;
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(socket));
    // Later errors end the connection, which its users notice by themselves.
    socket.on("error", () => resolve(undefined));
  });
}

function connectFrom(folder: string): Socket | undefined {
  try {
    if (!isOwnFolder(folder)) return undefined;
    const back = process.cwd();
    process.chdir(folder);
    try {
      return connectTo(socketIn(folder));
    } finally {
      process.chdir(back);
    }
  } catch {
    // No such folder, or one that this process may not enter.
    return undefined;
  }
}
