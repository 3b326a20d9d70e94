import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { TcpProxy } from "./tcp-proxy.ts";
import { waitFixedTime } from "./wait-fixed-time.ts";

it("forwards both directions in order, and both ends", async () => {
  await using echo = await echoServer();
  await using proxy = await TcpProxy.start(echo.port, { delayMs: 5 });
  const client = connect(proxy.port, "127.0.0.1");
  const reply = Array.from({ length: 200 }, (_, n) => `${n}\n`).join("");
  for (const line of reply.split(/(?<=\n)/)) client.write(line);
  client.end();
  let heard = "";
  for await (const chunk of client) heard += chunk;
  expect(heard).toBe(reply);
});

it("delays a response by its round trip", async () => {
  await using echo = await echoServer();
  await using proxy = await TcpProxy.start(echo.port, { delayMs: 30 });
  const client = connect(proxy.port, "127.0.0.1");
  await once(client, "connect");
  const began = performance.now();
  client.write("x");
  await once(client, "data");
  expect(performance.now() - began).toBeGreaterThanOrEqual(29);
  client.destroy();
});

it("holds data back until mended", async () => {
  await using echo = await echoServer();
  await using proxy = await TcpProxy.start(echo.port);
  const client = connect(proxy.port, "127.0.0.1");
  await once(client, "connect");
  proxy.silence();
  let heard = "";
  client.on("data", (chunk) => {
    heard += String(chunk);
  });
  client.write("late");
  await waitFixedTime(50, "no event may follow");
  expect(heard).toBe("");
  proxy.mend();
  await expect.poll(() => heard).toBe("late");
  client.destroy();
});

it("breaks every connection and refuses new ones until it is mended", async () => {
  await using echo = await echoServer();
  await using proxy = await TcpProxy.start(echo.port);
  const broken = connect(proxy.port, "127.0.0.1");
  await once(broken, "connect");
  broken.write("x");
  await once(broken, "data");
  const ended = closing(broken);
  proxy.cut();
  await ended;

  const refused = connect(proxy.port, "127.0.0.1");
  await closing(refused);

  proxy.mend();
  const again = connect(proxy.port, "127.0.0.1");
  again.write("y");
  expect(String((await once(again, "data"))[0])).toBe("y");
  again.destroy();
});

it("routes new connections to another server", async () => {
  await using first = await echoServer();
  await using second = await echoServer();
  await using proxy = await TcpProxy.start(first.port);
  proxy.routeTo(second.port);
  const client = connect(proxy.port, "127.0.0.1");
  client.write("z");
  await once(client, "data");
  expect([first.joined(), second.joined()]).toEqual([0, 1]);
  const ended = closing(client);
  client.destroy();
  await ended;
});

function closing(socket: Socket): Promise<void> {
  socket.on("error", () => socket.destroy());
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

async function echoServer() {
  let joined = 0;
  const server = createServer((socket) => {
    joined += 1;
    socket.on("error", () => socket.destroy());
    socket.pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    joined: () => joined,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}
