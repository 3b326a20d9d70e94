/** Where warnings for a person go. Never stdout: that belongs to results and protocols. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export const silentLogger: Logger = { info: noop, warn: noop, error: noop };

export function stderrLogger(stream: NodeJS.WritableStream = process.stderr): Logger {
  const write = (level: string) => (message: string) => {
    stream.write(`cairn: ${level}${message}\n`);
  };
  return { info: write(""), warn: write("warning: "), error: write("error: ") };
}

function noop(): void {}
