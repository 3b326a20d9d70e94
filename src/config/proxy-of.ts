import type { Environment } from "../shared/environment.ts";
import type { LayeredValue } from "./setting-layer.ts";

const VARIABLES: Readonly<Record<"proxy" | "noProxy", readonly string[]>> = {
  proxy: ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"],
  noProxy: ["NO_PROXY", "no_proxy"],
};

/** The settings of a proxy as other tools' variables give them. */
export function proxyOf(env: Environment): ReadonlyMap<string, LayeredValue> {
  const found = new Map<string, LayeredValue>();
  for (const [key, names] of Object.entries(VARIABLES)) {
    for (const name of names) {
      const value = env[name]?.trim();
      if (value === undefined || value === "" || found.has(key)) continue;
      const address = key === "proxy" && !value.includes("://") ? `http://${value}` : value;
      found.set(key, { value: address, source: { origin: "environment", name } });
    }
  }
  return found;
}
