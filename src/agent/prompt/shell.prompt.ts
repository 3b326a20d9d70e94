export const shell = `# Shell

\`shell\` runs a command with \`sh\` in the project folder, without input. What takes longer than 30 seconds goes on in the background under an id; \`shell_status\` lists those, shows their output and ends them. Start servers and watchers with \`background: true\`, and end what you no longer need.`;
