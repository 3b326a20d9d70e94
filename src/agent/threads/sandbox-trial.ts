import { holdsHome, realRoot } from "../permission/default-mode.ts";
import type { Sandbox } from "../sandbox/open-sandbox.ts";
import type { HostServices } from "./host-services.ts";

/** What a host says of its sandbox while that is tried out, and what follows from the outcome. */
export class SandboxTrial {
  readonly #sandbox: Promise<Sandbox>;
  readonly #services: HostServices;
  #label = "starting";

  constructor(sandbox: Promise<Sandbox>, services: HostServices) {
    this.#sandbox = sandbox;
    this.#services = services;
  }

  get label(): string {
    return this.#label;
  }

  /** A server says it to its first client; a terminal shows its prompt before the trial is over. */
  async start(): Promise<void> {
    this.#warnOfHome();
    const { permission, surface, client } = this.#services;
    const started = this.#sandbox.then(({ label }) => {
      this.#label = label;
      permission.settleMode(!label.startsWith("off"));
    });
    if (surface !== "server") return;
    // A server has time until its first client; a terminal's first prompt must not wait for this.
    void client.prepare();
    await started;
  }

  async close(): Promise<void> {
    await (await this.#sandbox).close();
  }

  #warnOfHome(): void {
    const { projectRoot, settings, logger } = this.#services;
    if (!holdsHome(realRoot(projectRoot))) return;
    const { mode } = settings.permission;
    const begins = mode === undefined ? ' The mode is "ask" here; --permission names another.' : "";
    logger.warn(
      `${projectRoot} is no project: nearly everything of yours lies in it. Start cairn in the folder of one.${begins}`,
    );
  }
}
