import { request } from "node:http";

export function requestUpgrade(
  port: number,
  token: string | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({
      port,
      host: "127.0.0.1",
      path: token === undefined ? "/ws" : `/ws?token=${token}`,
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        ...headers,
      },
    });
    asked.once("response", ({ statusCode }) => resolve(statusCode));
    asked.once("upgrade", (_answer, socket) => {
      socket.destroy();
      resolve(101);
    });
    asked.once("error", reject);
    asked.end();
  });
}
