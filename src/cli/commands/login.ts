import { join } from "node:path";
import { CairnError, invalidInput } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { CliCommand } from "../cli-command.ts";
import { type CommandLine, promptHidden } from "../command-line.ts";
import { printResult } from "../render/print-result.ts";

async function openBrowserQuietly(line: CommandLine) {
  const [{ configPaths, loadConfig, saveUserSettings }, agent] = await Promise.all([
    import("../../config/index.ts"),
    import("../../agent/index.ts"),
  ]);
  if (agent.startedByAgent(line.env)) {
    throw new CairnError(
      "forbidden",
      "Commands of an agent cannot change your keys. Run this in your own terminal.",
    );
  }
  const environment = { env: line.env, cwd: line.cwd };
  const keys = new agent.StoredKeys(
    join(configPaths(environment).userConfigDir, agent.STORED_KEYS_FILE),
  );
  const config = loadConfig({ ...environment, reader: line.reader });
  return { ...agent, config, keys, save: saveUserSettings, place: environment };
}

/** Logs in to a cairn server instead of a model provider. */
async function serverEndpoint(line: CommandLine, address: string) {
  const [{ config, place, outgoingFetch }, { configPaths }, { ServerLogins, SERVER_LOGINS_FILE }] =
    await Promise.all([
      openBrowserQuietly(line),
      import("../../config/index.ts"),
      import("../login/server-logins.ts"),
    ]);
  const { proxy, noProxy } = config.settings;
  return {
    ...{ line, address },
    logins: new ServerLogins(join(configPaths(place).userConfigDir, SERVER_LOGINS_FILE)),
    fetch: outgoingFetch({ proxy, noProxy, headers: {}, refused: new Set() }),
  };
}

function requireServerName(word: string, services: Readonly<Record<string, unknown>>): string {
  if (Object.hasOwn(services, word)) return word;
  const names = Object.keys(services);
  throw invalidInput(`"${word}" is not a model provider.${didYouMean(word, names)}`);
}

export const login: CliCommand = {
  name: "login",
  reader: "person",
  summary: "Store a model provider's key, or log in to a cairn server",
  group: "Agent",
  example:
    "cairn login openrouter\ncairn login groq\ncairn login groq < key.txt\ncairn login https://memory.example.org",
  interruptible: true,
  configure(command) {
    command
      .argument("<service>", "provider name as in the setting `provider`, or a server URL")
      .option("--key", "enter a key instead of using the browser")
      .option("--no-keyring", "store it in a file instead of the system keyring")
      .option("--device", "a server: show a code to enter in any browser")
      .option("--print-token", "a server: print a token of the stored login");
  },
  async run(line, [word = ""], options) {
    if (isServerAddress(word)) {
      const { logInToServer } = await import("../login/server-command.ts");
      const [device, printToken] = [options.device === true, options.printToken === true];
      const message = await logInToServer(await serverEndpoint(line, word), { device, printToken });
      const isSentence = !printToken;
      await printResult(line, { ...message, isSentence, asJson: options.json === true });
      return undefined;
    }
    if (options.device === true || options.printToken === true) {
      throw invalidInput("--device and --print-token are for the address of a server.");
    }
    const app = await openBrowserQuietly(line);
    const { SERVICES, keys, config, storeKey: keepKey, logInByBrowser, outgoingFetch } = app;
    const service = requireServerName(word, SERVICES);
    const { label, browserLogin, keyPage } = SERVICES[service as keyof typeof SERVICES];
    let key: string | undefined;
    if (browserLogin !== undefined && options.key !== true) {
      const { openBrowser } = await import("../page/open-browser.ts");
      const { proxy, noProxy } = config.settings;
      key = await logInByBrowser({
        browserLogin,
        fetch: outgoingFetch({ proxy, noProxy, headers: {}, refused: new Set() }),
        signal: line.signal,
        show: (url) => {
          line.stderr.write(
            `Log in on this page (opened in your browser, if one is found):\n${url}\n`,
          );
          if (process.platform !== "win32") void openBrowser(url, { env: line.env });
        },
      });
    } else {
      const from = keyPage === undefined ? "" : ` (made at ${keyPage})`;
      key = (await promptHidden(line, `Key of ${label}${from}, (hidden): `))?.trim();
    }
    if (key === undefined || key === "")
      throw invalidInput("No key was entered; nothing was changed.");
    const where = await keepKey(keys, { service, key, withKeyring: options.keyring !== false });
    const isFirst = !config.sources.has("provider");
    if (isFirst) app.save(app.place, { provider: service });
    const now = isFirst
      ? `${label} is now in use.`
      : `It is used where "provider" is "${service}".`;
    const output = { service, kept: where };
    const text = `The key is stored in ${where}. ${now}`;
    await printResult(line, { output, text, isSentence: true, asJson: options.json === true });
    return undefined;
  },
};

export const logout: CliCommand = {
  name: "logout",
  reader: "person",
  summary: "Delete a model provider's key, or log out of a cairn server",
  group: "Agent",
  example: "cairn logout openrouter\ncairn logout https://memory.example.org",
  configure(command) {
    command.argument("<service>", "provider name as in the setting `provider`, or a server URL");
  },
  async run(line, [word = ""], options) {
    if (isServerAddress(word)) {
      const { logOutOfServer } = await import("../login/server-command.ts");
      const message = await logOutOfServer(await serverEndpoint(line, word));
      await printResult(line, { ...message, isSentence: true, asJson: options.json === true });
      return undefined;
    }
    const { SERVICES, keys, forgetKey } = await openBrowserQuietly(line);
    const service = requireServerName(word, SERVICES);
    if (!(await forgetKey(keys, service))) {
      throw new CairnError("not_found", `No key is stored for ${service}.`);
    }
    const text = `Deleted the stored key of ${service}. It remains valid at the provider until you revoke it there.`;
    await printResult(line, {
      ...{ output: { service, forgotten: true }, text },
      isSentence: true,
      asJson: options.json === true,
    });
    return undefined;
  },
};

/** True for a server address rather than a model provider's name. */
function isServerAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}
