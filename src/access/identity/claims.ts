import { CairnError } from "../../shared/errors.ts";

/** What the provider says of who logged in. */
export interface Claims {
  /** Issuer and account: the only thing that never changes of a person. */
  readonly subject: string;
  readonly accountId: string;
  readonly userName: string;
  readonly displayName: string | undefined;
  readonly email: string | undefined;
  /** Undefined where the provider told of none: then there are none. */
  readonly groups: readonly string[] | undefined;
}

interface ClaimNames {
  readonly nameClaim: string;
  readonly groupsClaim: string;
}

const MOST_GROUPS = 1_000;

/** Throws forbidden where the name is missing, or is an address that the provider has not verified. */
export function readClaims(
  told: Readonly<Record<string, unknown>>,
  { nameClaim, groupsClaim }: ClaimNames,
): Claims {
  const { iss, sub, name, email, email_verified: isVerified } = told;
  const userName = told[nameClaim];
  if (typeof iss !== "string" || typeof sub !== "string" || typeof userName !== "string") {
    throw refused(`the provider gives no claim "${nameClaim}" of who logs in (identity.nameClaim)`);
  }
  if (userName.trim() === "") throw refused(`the claim "${nameClaim}" is empty`);
  if (nameClaim === "email" && isVerified === false) {
    throw refused("the provider has not verified the address of this account");
  }
  const listed = told[groupsClaim];
  const groups = typeof listed === "string" ? [listed] : Array.isArray(listed) ? listed : undefined;
  return {
    subject: `${iss}\n${sub}`,
    accountId: sub,
    userName,
    displayName: typeof name === "string" ? name : undefined,
    email: typeof email === "string" ? email : undefined,
    groups: groups?.filter((group) => typeof group === "string").slice(0, MOST_GROUPS),
  };
}

function refused(reason: string): CairnError {
  return new CairnError("forbidden", `You cannot log in: ${reason}.`);
}
