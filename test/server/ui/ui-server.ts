import { onTestFinished } from "vitest";
import { httpSettings, type TransferLimits } from "../../../src/server/http/settings.ts";
import { startUiServer } from "../../../src/server/ui/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { UiClient } from "../../support/ui-client.ts";
import { FakeThreadHost } from "./fake-thread-host.ts";

interface UiSettings {
  readonly limits?: Partial<TransferLimits>;
  readonly [setting: string]: unknown;
}

export async function openUiServer(
  { limits, ...settings }: UiSettings = {},
  options: { maxClients?: number } = {},
) {
  const host = new FakeThreadHost();
  const logged: string[] = [];
  const server = await startUiServer({
    ...options,
    host,
    settings: httpSettings.parse({ uiPort: 0, ...settings }),
    ...(limits !== undefined && { limits }),
    logger: { ...silentLogger, error: (message) => logged.push(message) },
    announce: () => undefined,
  });
  onTestFinished(() => server.close());
  const connect = async () => {
    const client = await UiClient.connect(server.url);
    onTestFinished(() => client.socket.terminate());
    return client;
  };
  return { ...server, host, logged, connect };
}
