/** A page that a search found, as the service describes it. */
export interface FoundPage {
  readonly title: string;
  readonly url: string;
  /** What the page says, in a few sentences; may be empty. */
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

/** What there is to know of a service that searches the web. */
export interface SearchService {
  /** Absent where each person runs one of their own. */
  readonly address?: string;
  /** The variable in which its key is found; absent where it takes none. */
  readonly keyVariable?: string;
  request(ask: { address: URL; key: string; query: string; count: number }): SearchRequest;
  /** Throws a ZodError where the answer has another form. */
  read(answer: unknown): readonly FoundPage[];
}
