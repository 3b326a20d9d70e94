import type { SettingLayer } from "./setting-layer.ts";

export interface KeyLayers {
  readonly user: SettingLayer;
  readonly project: SettingLayer;
  readonly given: SettingLayer;
}

export interface KeyQuestion {
  /** `apiKey` or `embedding.apiKey`. */
  readonly key: string;
  /** `provider` or `embedding.provider`. */
  readonly provider: string;
  /** The provider where no layer names one. */
  readonly fallback: string;
}

/**
 * True if the key in force was made for the provider in force: a key belongs to the provider that
 * its own layer names, or else to the one that the person's own layers below it name. A key never
 * follows a provider that another layer has put in place.
 */
export function isOwnKey(question: KeyQuestion, layers: KeyLayers): boolean {
  const { user, project, given } = layers;
  const named = (layer: SettingLayer) => layer.get(question.provider)?.value;
  const inForce = named(given) ?? named(project) ?? named(user) ?? question.fallback;
  const own = () => {
    if (given.has(question.key)) return named(given) ?? named(user);
    if (project.has(question.key)) return named(project) ?? named(user);
    return named(user);
  };
  return (own() ?? question.fallback) === inForce;
}
