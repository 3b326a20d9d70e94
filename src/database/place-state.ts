/** How the servers of a place do. */
export interface PlaceState {
  /** Connections of this process; undefined for files. */
  readonly pool: PoolState | undefined;
  readonly replicas: readonly ReplicaState[];
}

export interface PoolState {
  /** Connections that are open, in use or not. */
  readonly total: number;
  readonly idle: number;
  /** Who waits for one. */
  readonly waiting: number;
}

export interface ReplicaState {
  /** Its address, without user and password. */
  readonly replica: string;
  readonly isUp: boolean;
  /** Reads that it has answered in the place of the primary. */
  readonly reads: number;
  /** How much, and for how long, it has not replayed; undefined where nobody can say. */
  readonly lagBytes?: number | undefined;
  readonly lagSeconds?: number | undefined;
}
