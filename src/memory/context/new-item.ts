export interface EpisodeWords {
  readonly content: string;
  readonly assertedBy: string | null;
  readonly occurredAt: string | null;
  readonly entityNames: readonly string[];
}

export interface ConceptWords {
  readonly title: string;
  readonly summary: string;
  readonly tags: readonly string[];
}

export interface PassageWords {
  readonly content: string;
  readonly assertedBy: string;
  readonly occurredAt: string;
  readonly files: readonly string[];
}

export type NewItem =
  | { readonly kind: "episode"; readonly number: number; readonly words: EpisodeWords }
  | { readonly kind: "concept"; readonly number: number; readonly words: ConceptWords }
  | { readonly kind: "passage"; readonly number: number; readonly words: PassageWords };
