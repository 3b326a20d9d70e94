export type LogFields = Readonly<Record<string, string | number | undefined>>;

/** Logs warnings. Never writes to stdout, which is reserved for results and protocols. */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  inFormat?(format: LogFormat): Logger;
}

export const LOG_FORMATS = ["text", "json"] as const;

/** `json`: one object per line, with time, level and fields. */
export type LogFormat = (typeof LOG_FORMATS)[number];

export const silentLogger: Logger = { info: noop, warn: noop, error: noop };

export function stderrLogger(stream: NodeJS.WritableStream = process.stderr): Logger {
  const write = (level: string) => (message: string) => {
    stream.write(`cairn: ${level}${message}\n`);
  };
  return {
    info: write(""),
    warn: write("warning: "),
    error: write("error: "),
    inFormat: (format) => (format === "json" ? jsonLogger(stream) : stderrLogger(stream)),
  };
}

function jsonLogger(stream: NodeJS.WritableStream): Logger {
  const write = (level: string) => (message: string, fields?: LogFields) => {
    const line = { time: new Date().toISOString(), level, message, ...fields };
    stream.write(`${JSON.stringify(line)}\n`);
  };
  return {
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    inFormat: (format) => (format === "json" ? jsonLogger(stream) : stderrLogger(stream)),
  };
}

function noop(): void {}
