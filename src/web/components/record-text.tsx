import { useQuestion } from "../data/use-question.ts";
import { kindOfId } from "../screens/item/item-kind.ts";
import { Said } from "./stored.tsx";

/** Loads and shows the text of an episode, a fact or a concept. */
export function TextOf({ id }: { readonly id: string }) {
  const kind = kindOfId(id);
  const episode = useQuestion("get_episode", { episode_id: id }, { when: kind === "episode" });
  const fact = useQuestion("get_fact", { fact_id: id }, { when: kind === "fact" });
  const concept = useQuestion("get_concept", { concept_id: id }, { when: kind === "concept" });
  const text = episode.output?.content ?? fact.output?.statement ?? concept.output?.summary ?? "";
  return <Said text={text} />;
}
