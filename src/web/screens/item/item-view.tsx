import { ConceptView } from "./concept-view.tsx";
import { EntityView } from "./entity-view.tsx";
import { EpisodeView } from "./episode-view.tsx";
import { FactView } from "./fact-view.tsx";
import { kindOfId } from "./item-kind.ts";

const VIEWS = {
  episode: EpisodeView,
  fact: FactView,
  concept: ConceptView,
  entity: EntityView,
} as const;

/** Whatever an id names. */
export function ItemView({ id }: { readonly id: string }) {
  const View = VIEWS[kindOfId(id)];
  return <View id={id} />;
}
