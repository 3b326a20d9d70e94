import { expect } from "vitest";
import type { DaemonFixture } from "./daemon-fixture.ts";
import { sendToDaemon, startDaemon } from "./send-to-daemon.ts";

/**
 * Concurrent writers. After this many rounds, the daemon was killed after each possible number of
 * responses.
 */
export const CONCURRENT_CLIENTS = 6;

/**
 * Kills the daemon `rounds` times during writes. Every writer must get a response, and every write
 * must be stored once, by the daemon or by the command's fallback.
 */
export async function killDuringWrites(fixture: DaemonFixture, rounds: number): Promise<void> {
  const expected: string[] = [];
  const by = { daemon: 0, command: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const pid = await startDaemon(fixture);
    const texts = Array.from(
      { length: CONCURRENT_CLIENTS },
      (_, n) => `Round ${round}, note ${n}.`,
    );
    expected.push(...texts);
    let answered = 0;
    const killAfter = round % CONCURRENT_CLIENTS;
    const kill = () => process.kill(pid, "SIGKILL");
    if (killAfter === 0) setImmediate(kill);
    const answers = await Promise.all(
      texts.map(async (text) => {
        const answer = await sendToDaemon(fixture, ["remember", text, "--json"]);
        answered += 1;
        if (answered === killAfter) kill();
        return answer;
      }),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ code: 0 });
      by[answer.by] += 1;
    }
    await fixture.waitUntilGone(pid);
  }
  expect((await contentsOf(fixture)).sort()).toEqual(expected.sort());
  expect(by.command).toBeGreaterThan(0);
}

async function contentsOf(place: DaemonFixture): Promise<string[]> {
  const contents: string[] = [];
  for (let page = 1; ; page += 1) {
    const line = ["list", "episodes", "--json", "-n", "50", "--page", String(page)];
    const { stdout } = await sendToDaemon(place, line);
    const { episodes } = JSON.parse(stdout);
    if (episodes.length === 0) return contents;
    contents.push(...episodes.map(({ content }: { content: string }) => content));
  }
}
