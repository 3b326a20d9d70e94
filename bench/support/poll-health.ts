import { Agent, get } from "node:http";

/**
 * Polls `/health` of a server every few milliseconds until stdin ends, then prints the latencies.
 * If the server closed the kept-alive connection, the request is retried and its time counts from
 * the first attempt.
 */
const INTERVAL_MS = 5;
const [url] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times: number[] = [];
let ended = false;
process.stdin.resume().once("end", () => {
  ended = true;
});
process.stdout.write("ready\n");
while (!ended) {
  const start = performance.now();
  let isTold = false;
  while (!isTold) isTold = await requestHealth();
  times.push(performance.now() - start);
  await new Promise((done) => setTimeout(done, INTERVAL_MS));
}
agent.destroy();
process.stdout.write(JSON.stringify(times));

function requestHealth(): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}/health`, { agent }, (response) => {
      response.resume().once("end", () => resolve(true));
    });
    request.once("error", (error) => (request.reusedSocket ? resolve(false) : reject(error)));
  });
}
