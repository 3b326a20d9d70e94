/** The state of the servers of a place. */
export interface PlaceState {
  /** Connections of this process; undefined for a folder of files. */
  readonly pool: PoolState | undefined;
  readonly replicas: readonly ReplicaState[];
}

export interface PoolState {
  /** Open connections, in use or idle. */
  readonly total: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

export interface ReplicaState {
  /** Address of the replica, without user and password. */
  readonly replica: string;
  readonly isUp: boolean;
  /** Reads that the replica has answered instead of the primary. */
  readonly reads: number;
  /** How far the replica is behind; undefined if unknown. */
  readonly lagBytes?: number | undefined;
  readonly lagSeconds?: number | undefined;
}
