import { type Signal, signal } from "@preact/signals";
import type { ServerMessage } from "../../server/ui/index.ts";
import type { CommandHelp, OtherServer, PlannedWork, Ready, Told, Turn } from "./entry.ts";

type Asked<Value> = Signal<Value | undefined>;

export class Answers {
  readonly ready: Asked<Ready> = signal(undefined);
  readonly commands: Signal<readonly CommandHelp[]> = signal([]);
  readonly turns: Asked<{ readonly threadId: string; readonly turns: readonly Turn[] }> =
    signal(undefined);
  readonly paths: Asked<{ readonly typed: string; readonly paths: readonly string[] }> =
    signal(undefined);
  readonly told: Asked<Told> = signal(undefined);
  /** Plans and tasks of the project. */
  readonly planned: Asked<PlannedWork> = signal(undefined);
  /** Other servers of this user. */
  readonly servers: Signal<readonly OtherServer[]> = signal([]);

  /** False: it is no answer of these. */
  take(message: ServerMessage): boolean {
    switch (message.type) {
      case "session.ready":
        this.ready.value = message.payload;
        return true;
      case "command.list":
        this.commands.value = message.payload.commands;
        return true;
      case "path.list":
        this.paths.value = message.payload;
        return true;
      case "thread.told":
        this.told.value = message.payload;
        return true;
      case "turn.list":
        this.turns.value = message.payload;
        return true;
      case "task.list":
        this.planned.value = message.payload;
        return true;
      case "server.list":
        this.servers.value = message.payload.servers;
        return true;
      default:
        return false;
    }
  }
}
