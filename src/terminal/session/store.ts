export interface Store<State> {
  get(): State;
  /** `isUrgent` renders immediately, for key presses; otherwise within one frame. */
  set(state: State, isUrgent: boolean): void;
  subscribe(listener: () => void): () => void;
  close(): void;
}

/** 20 frames per second look smooth. */
const FRAME_INTERVAL_MS = 50;

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  let timer: NodeJS.Timeout | undefined;
  const listeners = new Set<() => void>();
  const publish = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const listener of listeners) listener();
  };
  return {
    get: () => state,
    set: (next, isUrgent) => {
      if (next === state) return;
      state = next;
      if (isUrgent) publish();
      else timer ??= setTimeout(publish, FRAME_INTERVAL_MS);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      if (timer !== undefined) publish();
      listeners.clear();
    },
  };
}
