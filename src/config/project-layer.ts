import type { ConfigFile } from "./read-config-file.ts";
import { settingDefinitions } from "./setting-definitions.ts";
import { layerFromFile, type SettingLayer } from "./setting-layer.ts";
import { withoutUnknown } from "./without-unknown.ts";

export interface ProjectLayer {
  readonly layer: SettingLayer;
  /** Sentences about what was left out. */
  readonly warnings: readonly string[];
}

/**
 * What a project's config sets. Names that are no setting are left out with a warning: whoever wrote
 * the file may have a newer version, or mean no good, and neither may stop every start in the folder.
 * Throws invalid_input for invalid values of a trusted file.
 */
export function projectLayer(file: ConfigFile | undefined, isTrusted: boolean): ProjectLayer {
  if (file === undefined) return { layer: new Map(), warnings: [] };
  const definitions = settingDefinitions();
  const source = { origin: "project", name: file.path } as const;
  const { content, warnings } = withoutUnknown(file, { definitions, isTrusted });
  return { layer: layerFromFile(content, source, definitions), warnings };
}
