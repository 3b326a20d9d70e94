export interface ProjectTasks {
  readonly plans: readonly PlannedWork[];
  readonly tasks: readonly PlannedTask[];
}

export interface PlannedWork {
  readonly id: number;
  readonly name: string;
  readonly description: string;
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

export interface TasksRequest {
  readonly id?: string;
  readonly plan?: number;
}

export type AttemptResult =
  | { readonly kind: "passed" }
  /** Worth another attempt, which gets the reason. */
  | { readonly kind: "failed"; readonly reason: string }
  /** The model reports that the task cannot be done as described. */
  | { readonly kind: "impossible"; readonly reason: string }
  | { readonly kind: "stopped" };

export interface TaskToImplement {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly acceptanceCriteria: readonly string[];
}
