/** What a surface can do with an earlier thread. */
export interface SessionSwitch {
  /** Makes the surface go on with this thread; absent where a client chooses by itself. */
  resume?(threadId: string): Promise<void>;
  /** Lets the person choose a thread to go on with; absent where there are no keys to do it. */
  pick?(): void;
}
