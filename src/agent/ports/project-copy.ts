/** A copy of a project in which an agent works. */
export interface ProjectCopy {
  readonly name: string;
  /** The project that it is a copy of. */
  readonly project: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Where the work is done. */
  readonly tree: string;
  /** What the project was when the copy was made; nobody works there. */
  readonly base: string;
  /** Everything of the copy. */
  readonly folder: string;
}
