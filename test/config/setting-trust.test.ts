import { expect, it } from "vitest";
import { settingDefinitions } from "../../src/config/setting-definitions.ts";

it.each(settingDefinitions().map(({ key, trust }) => [key, trust] as const))(
  "declares which projects may set %s",
  (_key, trust) => {
    expect(trust).toBeDefined();
  },
);
