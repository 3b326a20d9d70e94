export interface FoundPage {
  readonly title: string;
  readonly url: string;
  readonly excerpt: string;
  readonly date?: string;
}

export interface SearchRequest {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SearchService {
  readonly address?: string;
  readonly keyVariable?: string;
  request(ask: { address: URL; key: string; query: string; count: number }): SearchRequest;
  /** Throws a ZodError for an unexpected response. */
  read(answer: unknown): readonly FoundPage[];
}
