import type { Operation } from "../../src/memory/index.ts";
import { routesOf } from "../../src/server/rest/index.ts";

/** TypeScript of the table that the page calls operations by. */
export function webRoutesSource(operations: ReadonlyMap<string, Operation>): string {
  const routes = new Map(routesOf(operations).map((route) => [route.operation.name, route]));
  const lines = Array.from(operations.keys(), (name) => {
    const route = routes.get(name);
    return `  ${name}: ${JSON.stringify(`${route?.method} ${route?.template}`)},\n`;
  });
  return `${HEAD}{\n${lines.join("")}};\n`;
}

const HEAD = `// Made by \`npm run docs\` from the operations; a test compares the two.
import type { OperationName } from "../../memory/index.ts";

/** Method and path of each operation below \`/api/v1\`; the path binds the fields in braces. */
export const ROUTES: Readonly<Record<OperationName, string>> = `;
