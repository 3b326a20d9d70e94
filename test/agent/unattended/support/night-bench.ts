import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createThreadHost } from "../../../../src/agent/index.ts";
import { agentSettings } from "../../../../src/agent/settings.ts";
import type { ThreadHostOptions } from "../../../../src/agent/threads/thread-host-options.ts";
import type { Night } from "../../../../src/agent/unattended/night.ts";
import type { NightClock } from "../../../../src/agent/unattended/night-clock.ts";
import type { NightOptions } from "../../../../src/agent/unattended/night-entry.ts";
import { findNight } from "../../../../src/agent/unattended/night-place.ts";
import type { NightTask } from "../../../../src/agent/unattended/night-task.ts";
import type { Notice } from "../../../../src/agent/unattended/notify.ts";
import {
  beginNight,
  type NightPorts,
  resumeNight,
} from "../../../../src/agent/unattended/open-night.ts";
import { startScriptedModel } from "../../../support/scripted-model.ts";
import { options } from "./begun.ts";

/** Stands still until somebody waits: then the time is over at once. */
export class JumpingClock implements NightClock {
  #now = Date.parse("2026-01-01T22:00:00.000Z");
  readonly waits: number[] = [];

  now(): Date {
    return new Date(this.#now);
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  async until(moment: Date, signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const wait = moment.getTime() - this.#now;
    if (wait <= 0) return;
    this.waits.push(wait);
    this.#now = moment.getTime();
  }
}

export function write(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

export function task(id: string, more: Partial<NightTask> = {}): NightTask {
  return { id, name: `Task ${id}`, details: "", checks: [], after: [], ...more };
}

/** A project in git, a scripted model, and runs on them. */
export async function startNightBench() {
  const root = mkdtempSync(join(tmpdir(), "cairn-night-"));
  const project = join(root, "shop");
  const dataDir = join(root, "data");
  mkdirSync(dataDir);
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: project,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  mkdirSync(project);
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  write(project, "list.txt", "begin\n");
  git("add", "-A");
  git("commit", "-qm", "Begin");
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const clock = new JumpingClock();
  const notices: Notice[] = [];
  const told: string[] = [];
  const permission = { mode: "auto", rules: [{ tool: "shell", action: "allow" }] };
  const hostOptions = (changed: Partial<ThreadHostOptions>): ThreadHostOptions => ({
    projectRoot: project,
    dataDir,
    userConfigDir: join(root, "config"),
    settings: agentSettings.parse({ sandbox: "off", permission }),
    llm: {
      ...{ provider: "openai-compatible", model: "scripted", baseUrl: model.baseUrl },
      ...{ maxRetries: 0, idleTimeoutMs: 60_000, headers: {} },
      prices: { scripted: { input: 1, output: 10 } },
    },
    memory: undefined,
    surface: "terminal",
    environment: process.env,
    ...changed,
  });
  const settings = { current: hostOptions({}).settings };
  const openHost: Night["openHost"] = ({ copy, aroundModel, settings: over, isUnattended }) =>
    createThreadHost(
      hostOptions({
        ...(copy !== undefined && { copy, projectRoot: copy.tree }),
        ...{ aroundModel, isUnattended },
        settings: { ...settings.current, ...over },
      }),
    );
  const ports = (changed: Partial<NightPorts> = {}): NightPorts => ({
    ...{ openHost, clock, tell: (line: string) => void told.push(line), lookMs: 20 },
    notify: async (notice) => {
      notices.push(notice);
      return undefined;
    },
    signal: new AbortController().signal,
    ...changed,
  });
  const optionsOf = (changed: Partial<NightOptions> = {}): NightOptions => ({
    ...options,
    project,
    ...changed,
  });
  return {
    ...{ root, project, dataDir, model, clock, notices, told, git, settings, openHost, ports },
    hostOptions,
    begin: (
      tasks: readonly NightTask[],
      changed: Partial<NightOptions> = {},
      port: Partial<NightPorts> = {},
    ) => beginNight({ dataDir, options: optionsOf(changed), tasks, memorySeq: null }, ports(port)),
    resume: (limits = options.limits, port: Partial<NightPorts> = {}) =>
      resumeNight({ dataDir, place: findNight(dataDir, project), limits }, ports(port)),
    read: (folder: string, path: string) => readFileSync(join(folder, path), "utf8"),
  };
}

/** The task that a request is about, by the message that began it. */
export function taskOf(
  messages: readonly { readonly role: string; readonly content: unknown }[],
): string {
  const text = JSON.stringify(messages.filter(({ role }) => role === "user"));
  return /# Task ([\w.-]+)/.exec(text)?.[1] ?? "";
}
