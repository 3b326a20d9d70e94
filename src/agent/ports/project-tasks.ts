/** What is planned in a project, as its files say it. */
export interface ProjectTasks {
  readonly plans: readonly PlannedWork[];
  readonly tasks: readonly PlannedTask[];
}

export interface PlannedWork {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** How it is to be done, Markdown. */
  readonly approach: string;
}

export interface PlannedTask {
  /** `<plan>-<number>`; the plan of a loose task is 0. */
  readonly id: string;
  readonly plan: number;
  readonly name: string;
  readonly description: string;
  readonly status: "pending" | "in-progress" | "done";
}

/** Which tasks are worked through; nothing: all loose ones that are open. */
export interface TasksWish {
  /** This task alone. */
  readonly id?: string;
  /** All open tasks of this plan. */
  readonly plan?: number;
}
