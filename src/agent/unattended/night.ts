import type { ModelClient } from "../../llm/index.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import type { ThreadHost } from "../ports/thread-host.ts";
import type { AgentSettings } from "../settings.ts";
import type { Disk } from "./disk.ts";
import type { Journal } from "./journal.ts";
import type { NightClock } from "./night-clock.ts";
import type { NightPlace } from "./night-place.ts";
import type { NightState } from "./night-state.ts";
import type { Notify } from "./notify.ts";
import type { Questions } from "./questions.ts";

/** How a task gets an agent of its own. */
export interface Workplace {
  /** Undefined: the project itself. */
  readonly copy: ProjectCopy | undefined;
  readonly aroundModel: (client: ModelClient) => ModelClient;
  readonly settings: Partial<AgentSettings>;
  readonly isUnattended: boolean;
}

/** What an unattended run works with. */
export interface Night {
  readonly place: NightPlace;
  readonly dataDir: string;
  readonly state: NightState;
  readonly journal: Journal;
  readonly clock: NightClock;
  readonly disk: Disk;
  readonly openHost: (workplace: Workplace) => Promise<ThreadHost>;
  /** Undefined: what asks is refused. */
  readonly questions: Questions | undefined;
  readonly notify: Notify;
  /** One line for whoever watches. */
  readonly tell: (line: string) => void;
}
