export interface Worktree {
  readonly name: string;
  readonly project: string;
  readonly createdAt: string;
  /** Commit with the state of the project when the worktree was created. */
  readonly base: string;
  readonly root: string;
  /** Path of the project within its repository; empty for the top folder. */
  readonly prefix: string;
  readonly tree: string;
  readonly folder: string;
}
