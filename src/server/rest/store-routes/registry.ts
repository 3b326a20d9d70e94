import type { z } from "zod";
import { grantAccess, listAccess, revokeAccess } from "./access.ts";
import {
  copyDatabase,
  createDatabase,
  deleteDatabase,
  doctorDatabase,
  listBin,
  listDatabases,
  reindexDatabase,
  renameDatabase,
  restoreDatabase,
} from "./databases.ts";
import { backupRoute, exportRoute } from "./downloads.ts";
import { importRoute } from "./imports.ts";
import type { StoreRoute } from "./store-route.ts";
import { createToken, listTokens, revokeToken, rotateToken } from "./tokens.ts";

/** Routes about databases and access to them. Each validates its body with its own schema. */
const ROUTES = [
  listDatabases,
  createDatabase,
  renameDatabase,
  copyDatabase,
  deleteDatabase,
  listBin,
  restoreDatabase,
  exportRoute,
  backupRoute,
  doctorDatabase,
  reindexDatabase,
  importRoute,
  listTokens,
  createToken,
  rotateToken,
  revokeToken,
  listAccess,
  grantAccess,
  revokeAccess,
] as const;

export const STORE_ROUTES: readonly StoreRoute[] = ROUTES;

type RouteOf<Id> = Extract<(typeof ROUTES)[number], { readonly id: Id }>;

export type StoreRouteId = (typeof ROUTES)[number]["id"];

export type StoreAnswer<Id extends StoreRouteId> = z.output<RouteOf<Id>["output"]>;
