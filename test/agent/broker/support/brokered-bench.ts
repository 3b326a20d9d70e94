import { onTestFinished } from "vitest";
import { KeyBroker } from "../../../../src/agent/broker/key-broker.ts";
import { openSandboxBench, type SandboxBench } from "../../support/sandbox-bench.ts";

export interface BrokeredBench {
  readonly bench: SandboxBench;
  /** What the broker noted of keys that it used. */
  readonly uses: readonly string[];
  /** Runs a command to its end, with what the broker lends for it, or for the other command that is named. */
  run(command: string, lentFor?: string): Promise<string>;
}

export interface BrokeredBenchOptions {
  /** By cairn's own helper, as where bubblewrap is not installed. */
  readonly own: boolean;
  readonly environment: Readonly<Record<string, string>>;
  /** Makes the project before the broker looks at its remotes. */
  prepare(project: string): void | Promise<void>;
}

/** A project in a sandbox, whose commands reach the broker's port and log in by it alone. */
export async function openBrokeredBench(options: BrokeredBenchOptions): Promise<BrokeredBench> {
  const { own, environment, prepare } = options;
  const uses: string[] = [];
  let broker: KeyBroker | undefined;
  const bench = await openSandboxBench({
    own,
    prepare: async (project) => {
      await prepare(project);
      broker = await KeyBroker.open({
        ...{ projectRoot: project, environment },
        onUse: async (use) => void uses.push(use),
      });
    },
    rules: () => [
      { tool: "network", pattern: `localhost:${broker?.port}`, action: "allow" as const },
    ],
  });
  onTestFinished(() => broker?.close());
  return {
    ...{ bench, uses },
    async run(command, lentFor = command) {
      const lent = broker?.lend(lentFor);
      const output = await bench.run(`${lent?.before ?? ""}${command}`, { network: true });
      lent?.end();
      return output;
    },
  };
}
