/** A git worktree of a project in which an agent works. */
export interface Worktree {
  readonly name: string;
  readonly project: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Commit with the state of the project when the worktree was created. */
  readonly base: string;
  /** Top folder of the worktree. */
  readonly root: string;
  /** Path of the project within its repository; empty for the top folder. */
  readonly prefix: string;
  /** The project's folder within the worktree. */
  readonly tree: string;
  /** Everything that belongs to the worktree. */
  readonly folder: string;
}
