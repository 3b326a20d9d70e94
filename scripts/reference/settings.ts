import { describeConfig, loadConfig } from "../../src/config/index.ts";
import { needsTrust } from "../../src/config/setting-layer.ts";

/** The reference page of the settings, from the definitions that the config is checked with. */
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

A setting is taken from the first place that has it: a flag, a \`CAIRN_*\` variable, the project's
\`.cairn/config.json\`, the user's \`~/.config/cairn/config.json\` (\`$XDG_CONFIG_HOME\` is respected), the
default. \`cairn config\` shows what is in force and where it comes from. A dot is an object in the
file: \`limits.writesPerDay\` is \`{"limits": {"writesPerDay": …}}\`. In a variable, lists of names are
comma-separated and structures are JSON.

Settings with a ! could do harm in a project that somebody else wrote: from a project's config they
count only after \`cairn trust\`, until the file changes. Of \`provider\`, \`embedding.provider\`,
\`tools\`, \`memory\`, \`sandbox\` and \`allowOutsideProject\` that is a value which opens more than the
user's own does; \`db\` counts for the commands of the memory, and for an agent with trust only. A key
is sent to the provider that its own place names, never to one that another place has put there.
`;
