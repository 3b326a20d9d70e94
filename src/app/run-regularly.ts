interface RegularWork {
  readonly everyMs: number;
  readonly work: () => Promise<unknown>;
  /** The work goes on at its next time. */
  readonly onError: (error: unknown) => void;
}

/** Works now and then at regular times, one after the other. Returns the ending, which waits for what is begun. */
export function runRegularly({ everyMs, work, onError }: RegularWork): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const look = () => {
    running = running.then(work).catch(onError);
  };
  look();
  const timer = setInterval(look, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
