import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { patiently } from "../support/patiently.ts";
import { type CliPlace, cliPlace, runInProcess } from "../support/run-cli.ts";

interface Session {
  /** What the person says, in order. */
  readonly says: readonly string[];
  /** What is asked in a later session, and what must stand in the answer as holding. */
  readonly asks: string;
  readonly holds: RegExp;
  /** What must not be told as holding any more. */
  readonly old?: RegExp;
}

/** Three corrections and two reversals among ten sessions. */
const SESSIONS: readonly Session[] = [
  {
    says: ["We decided to store money as integer cents."],
    asks: "How do we store money in the new invoices table?",
    holds: /integer cents/,
  },
  {
    says: ["Always use npm to install packages."],
    asks: "Install the packages for the parser",
    holds: /npm/,
  },
  {
    says: ["Remember that the gateway times out after 10 seconds."],
    asks: "After how many seconds does the gateway time out?",
    holds: /10 seconds/,
  },
  {
    says: ["That's wrong, the gateway times out after 30 seconds, not 10."],
    asks: "After how many seconds does the gateway time out?",
    holds: /30 seconds/,
    old: /after 10 seconds/,
  },
  {
    says: ["We changed our mind: money is stored as Decimal, not as integer cents."],
    asks: "How do we store money in the new invoices table?",
    holds: /Decimal/,
    old: /store money as integer cents/,
  },
  {
    says: ["We decided to deploy with kubectl."],
    asks: "Deploy the shop to the cluster",
    holds: /kubectl/,
  },
  {
    says: ["Actually we deploy with Helm, not with kubectl."],
    asks: "Deploy the shop to the cluster",
    holds: /Helm/,
    old: /to deploy with kubectl/,
  },
  {
    says: ["From now on use pnpm to install packages, not npm."],
    asks: "Install the packages for the parser",
    holds: /pnpm/,
    old: /Always use npm/,
  },
  {
    says: ["We changed our mind again: money is stored as integer cents, not as Decimal."],
    asks: "How do we store money in the new invoices table?",
    holds: /integer cents, not as Decimal/,
    old: /our mind: money is stored as Decimal/,
  },
  {
    says: ["From now on use npm again to install packages, not pnpm."],
    asks: "Install the packages for the parser",
    holds: /npm again/,
    old: /use pnpm to install/,
  },
];

async function hook(place: CliPlace, event: string, input: object): Promise<string> {
  const stdin = JSON.stringify({ cwd: place.project, ...input });
  const args = ["hook", "claude-code", event, "--patience", "60000"];
  const { code, stdout, stderr } = await runInProcess(place, args, { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

/** The whole of a session: what its model was shown comes back. */
async function play(place: CliPlace, name: string, says: readonly string[]): Promise<string> {
  const shown = [await hook(place, "session-start", { session_id: name })];
  for (const prompt of says) shown.push(await hook(place, "prompt", { session_id: name, prompt }));
  const path = join(place.home, `${name}.jsonl`);
  const records = says.map((content) =>
    JSON.stringify({ type: "user", message: { role: "user", content } }),
  );
  writeFileSync(path, records.join("\n"));
  await hook(place, "session-end", { session_id: name, transcript_path: path });
  return shown.join("\n");
}

/** Lines that tell something as it holds: what is told as former says so in the same line. */
const holding = (text: string) =>
  text.split("\n").filter((line) => !/\b(?:was|replaced|until|no longer)\b/i.test(line));

describe("ten sessions with three corrections and two reversals", () => {
  it(
    "tell no later prompt what was corrected as if it held",
    async () => {
      const place = cliPlace();
      for (const [index, { says, asks, holds, old }] of SESSIONS.entries()) {
        await play(place, `s${index}`, says);
        const later = await play(place, `ask${index}`, [asks]);
        expect(holding(later).join("\n"), says[0]).toMatch(holds);
        if (old !== undefined) expect(holding(later).filter((line) => old.test(line))).toEqual([]);
      }
    },
    patiently(60_000),
  );

  it(
    "a correction is taken back as one change, and what held before holds again",
    async () => {
      const place = cliPlace();
      const json = async (...args: string[]) => {
        const { code, stdout } = await runInProcess(place, [...args, "--json"]);
        expect(code).toBe(0);
        return JSON.parse(stdout);
      };
      await play(place, "s0", ["Remember that the gateway times out after 10 seconds."]);
      const before = await json("episodes");
      await play(place, "s1", ["That's wrong, 30 seconds, not 10."]);
      const told = holding(await play(place, "ask", ["How long does the gateway wait?"]));
      expect(told.join("\n")).toContain("the gateway times out after 30 seconds");
      const { changes } = await json("changes");
      const learned = ({ operation }: { operation: string }) => operation === "keep_learned";
      const { id } = changes.find(learned);
      expect(await runInProcess(place, ["undo", id])).toMatchObject({ code: 0 });
      expect(await json("episodes")).toEqual(before);
      const again = holding(await play(place, "ask2", ["How long does the gateway wait?"]));
      expect(again.join("\n")).toContain("times out after 10 seconds");
      expect(again.join("\n")).not.toContain("replaced");
    },
    patiently(60_000),
  );
});
