import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { z } from "zod";
import { readJsonList, updateJsonList } from "../documents/json-list-file.ts";
import { PERMISSION_ACTIONS, type PermissionRule } from "./permission-types.ts";

const rule = z.strictObject({
  tool: z.string(),
  pattern: z.string().optional(),
  action: z.enum(PERMISSION_ACTIONS),
});

export class SavedRules {
  readonly #file: { readonly path: string; readonly item: typeof rule };

  constructor(userConfigDir: string, projectRoot: string) {
    const hash = createHash("sha256").update(projectRoot).digest("hex").slice(0, 12);
    const name = `${basename(projectRoot) || "root"}-${hash}.json`;
    this.#file = { path: join(userConfigDir, "permissions", name), item: rule };
  }

  /** Not cached: another process may add rules. Throws invalid_input if broken. */
  read(): Promise<readonly PermissionRule[]> {
    return readJsonList(this.#file);
  }

  async add(rules: readonly PermissionRule[]): Promise<void> {
    await updateJsonList(this.#file, (list) => {
      const known = new Set(list.map((one) => JSON.stringify([one.tool, one.pattern])));
      const added = rules.filter((one) => !known.has(JSON.stringify([one.tool, one.pattern])));
      const plain = added.map(({ tool, pattern, action }) => ({
        tool,
        action,
        ...(pattern !== undefined && { pattern }),
      }));
      return { list: [...list, ...plain], result: undefined };
    });
  }
}
