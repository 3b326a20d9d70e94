/** Answers that are under way as streams; a server that stops sends them first. */
export class OpenAnswers {
  readonly #open = new Set<Promise<void>>();

  follow(response: Response): Response {
    if (response.body === null) return response;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const sent = response.body.pipeTo(writable).catch(() => undefined);
    this.#open.add(sent);
    void sent.then(() => this.#open.delete(sent));
    return new Response(readable, response);
  }

  /** Resolves when those that are open now are sent, at the latest after `mostMs`. */
  async sent(mostMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, mostMs);
    });
    await Promise.race([Promise.allSettled(this.#open), late]);
    clearTimeout(timer);
  }
}
