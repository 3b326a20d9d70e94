import { ProjectCheckpoints } from "../../../src/agent/checkpoints/project-checkpoints.ts";
import {
  type Conversation,
  ThreadCheckpoints,
} from "../../../src/agent/checkpoints/thread-checkpoints.ts";

export interface UndoFixture {
  readonly project: string;
  readonly dataDir: string;
}

const noMessages: Conversation = {
  messages: [],
  replace: () => undefined,
  append: () => undefined,
};

/** Opens the checkpoints of thread `t`, without memory or conversation. */
export function openUndo({ project: root, dataDir }: UndoFixture) {
  const project = new ProjectCheckpoints({ root, dataDir });
  const thread = new ThreadCheckpoints({
    project,
    threadId: "t",
    memory: undefined,
    now: () => new Date().toISOString(),
    conversation: () => noMessages,
    hasBackground: () => false,
    isConfined: async () => true,
  });
  return { project, thread };
}
