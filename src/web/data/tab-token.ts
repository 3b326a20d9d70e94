type TabMessage =
  | { readonly kind: "asked" }
  | { readonly kind: "token" | "ended"; readonly token: string };

interface Tab {
  readonly token: string | undefined;
  take(token: string): void;
  /** Called when another tab ended the token. */
  drop?(): void;
}

export class TokenOfTabs {
  readonly #channel: BroadcastChannel;

  /** Each kind of token has its own channel. */
  constructor(channel: string, tab: Tab) {
    this.#channel = new BroadcastChannel(channel);
    this.#channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
      const { token } = tab;
      if (data.kind === "token") tab.take(data.token);
      else if (data.kind === "ended") {
        if (data.token === token) tab.drop?.();
      } else if (token !== undefined) this.tell(token);
    });
  }

  ask(): void {
    this.#channel.postMessage({ kind: "asked" } satisfies TabMessage);
  }

  tell(token: string): void {
    this.#channel.postMessage({ kind: "token", token } satisfies TabMessage);
  }

  /** Announces that the token is no longer valid. */
  end(token: string): void {
    this.#channel.postMessage({ kind: "ended", token } satisfies TabMessage);
  }
}
