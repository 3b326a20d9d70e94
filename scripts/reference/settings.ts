import { describeConfig, loadConfig } from "../../src/config/index.ts";
import { needsTrust } from "../../src/config/setting-layer.ts";

/** Renders the reference of the settings from their schemas. */
export function renderSettings(): string {
  const nowhere = "/nowhere";
  const defaults = describeConfig(
    loadConfig({ env: { HOME: nowhere }, cwd: nowhere, reader: "person" }),
  );
  const rows = defaults.map(({ key, variable, value, description }) => {
    const initial = value === undefined ? "" : `\`${JSON.stringify(value)}\``;
    const mark = needsTrust(key) ? " !" : "";
    return `| \`${key}\`${mark} | \`${variable}\` | ${initial} | ${description} |`;
  });
  return `${INTRODUCTION}\n| setting | variable | default | |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

const INTRODUCTION = `# Settings

<!-- Generated from the settings.ts of each module by \`npm run docs\`. -->

The first of these that defines a setting wins: a flag, a \`CAIRN_*\` variable, the project's
\`.cairn/config.json\`, the user's \`~/.config/cairn/config.json\` (\`$XDG_CONFIG_HOME\` is respected), the
default. \`cairn config\` shows each value and its origin. A dot is an object in the
file: \`limits.requestsPerMinute\` is \`{"limits": {"requestsPerMinute": …}}\`. In a variable, lists of names are
comma-separated and structures are JSON.

Settings marked with ! could do harm in a project of somebody else: in a project's config they
take effect only after \`cairn trust\`, until the file changes. For \`provider\`, \`embedding.provider\`,
\`tools\`, \`memory\`, \`sandbox\` and \`allowOutsideProject\` this applies to values that are less restrictive than the
user's. \`db\` of an untrusted project applies to memory commands but not to the agent. An API key
is sent only to the provider that is configured in the same file or environment.
`;
