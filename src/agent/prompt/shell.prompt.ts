export const shell = `# Shell

\`shell\` runs a command with \`sh\` in the project folder, without input. After 30 seconds it continues in the background under an id; \`shell_status\` lists background commands, shows their output and kills them. Start servers and watchers with \`background: true\` and kill what you no longer need.`;
