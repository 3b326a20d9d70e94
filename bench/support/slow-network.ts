/**
 * A slow network in front of a loopback server, in a separate process. It delays data from the
 * server by a number of milliseconds with a precision of 10 µs, which Node.js timers do not reach.
 *
 *   tsx bench/support/slow-network.ts <port of the server> <milliseconds of a round trip>
 *
 * Prints its own port, and ends when its stdin does.
 */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

const [port = "", delay = "0"] = process.argv.slice(2);
const underway: { readonly due: number; readonly deliver: () => void }[] = [];

const network = createServer({ allowHalfOpen: true }, join).listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(network.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on("end", () => process.exit());

function join(client: Socket): void {
  const server = connect({ host: "127.0.0.1", port: Number(port), allowHalfOpen: true });
  for (const [socket, other] of [
    [client, server],
    [server, client],
  ] as const) {
    socket.setNoDelay(true);
    socket.on("error", () => other.destroy());
  }
  client.on("data", (chunk: Buffer) => void server.write(chunk)).on("end", () => server.end());
  server.on("data", (chunk: Buffer) => later(() => client.write(chunk)));
  server.on("end", () => later(() => client.end()));
}

function later(deliver: () => void): void {
  underway.push({ due: performance.now() + Number(delay), deliver });
  if (underway.length === 1) setImmediate(deliverDue);
}

/** Busy-waits while data are in transit. */
function deliverDue(): void {
  while (underway[0] !== undefined && underway[0].due <= performance.now()) {
    underway.shift()?.deliver();
  }
  if (underway.length > 0) setImmediate(deliverDue);
}
