import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createThreadHost } from "../../../../src/agent/index.ts";
import { agentSettings } from "../../../../src/agent/settings.ts";
import type { NightClock } from "../../../../src/agent/unattended/night-clock.ts";
import { findNight, unfinishedNight } from "../../../../src/agent/unattended/night-place.ts";
import {
  beginNight,
  type NightPorts,
  resumeNight,
} from "../../../../src/agent/unattended/open-night.ts";
import { parseTaskFile } from "../../../../src/agent/unattended/parse-task-file.ts";
import { letTimePass } from "../../../support/let-time-pass.ts";
import { options as usual } from "./begun.ts";

/** What the script of the night gives to the process that works in it, which is killed again and again. */
export interface ChildWish {
  readonly root: string;
  readonly project: string;
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly cost: number;
  readonly atOnce: number;
}

/** A clock that all starts share: it stands in a file, and whoever waits moves it. */
class FileClock implements NightClock {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  now(): Date {
    return new Date(Number(readFileSync(this.#file, "utf8")));
  }

  async until(moment: Date, signal: AbortSignal): Promise<void> {
    await letTimePass(5, "the pace of asking again");
    signal.throwIfAborted();
    if (moment.getTime() > this.now().getTime()) writeFileSync(this.#file, `${moment.getTime()}`);
  }
}

async function work(): Promise<void> {
  const wish: ChildWish = JSON.parse(process.argv[2] ?? "");
  const { root, project, dataDir, baseUrl, cost, atOnce } = wish;
  const permission = { mode: "auto", rules: [{ tool: "shell", action: "allow" }] };
  const settings = agentSettings.parse({ sandbox: "off", permission });
  const openHost: NightPorts["openHost"] = ({ copy, aroundModel, settings: over, isUnattended }) =>
    createThreadHost({
      ...{ projectRoot: copy?.tree ?? project, dataDir, userConfigDir: join(root, "config") },
      ...(copy !== undefined && { copy }),
      settings: { ...settings, ...over },
      llm: {
        ...{ provider: "openai-compatible", model: "scripted", baseUrl, contextWindow: 100_000 },
        ...{ maxRetries: 0, idleTimeoutMs: 60_000, headers: {} },
        prices: { scripted: { input: 1, output: 10 } },
      },
      memory: undefined,
      surface: "terminal",
      environment: process.env,
      ...{ aroundModel, isUnattended },
    });
  let looks = 0;
  const ports: NightPorts = {
    ...{ openHost, clock: new FileClock(join(root, "clock")), notify: async () => undefined },
    tell: (line) => process.stdout.write(`${line}\n`),
    // Each tenth look finds the disk full: room comes back while it waits.
    disk: { freeBytes: () => (++looks % 10 === 0 ? 0 : 1e12), sizeOf: () => 0 },
    lookMs: 50,
    signal: new AbortController().signal,
  };
  const limits = { ...usual.limits, hours: 1_000, outageHours: 24, cost };
  const old = unfinishedNight(dataDir, project);
  if (old !== undefined) {
    await resumeNight({ dataDir, place: findNight(dataDir, project), limits }, ports);
    return;
  }
  const { tasks, checks } = parseTaskFile(readFileSync(join(root, "tasks.md"), "utf8"));
  const wanted = { ...usual, project, limits, atOnce, checks: [...checks], checkTimeoutMs: 2_000 };
  await beginNight({ dataDir, options: wanted, tasks, memorySeq: null }, ports);
}

work().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
