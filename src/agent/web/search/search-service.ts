/** A page that a search found, as the service describes it. */
export interface FoundPage {
  readonly title: string;
  readonly url: string;
  readonly excerpt: string;
  /** When it was written, in the service's words. */
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
  /** Throws a ZodError where the answer has another form. */
  read(answer: unknown): readonly FoundPage[];
}
