import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { invalidInput } from "../../shared/errors.ts";
import { isPublicAddress } from "../../shared/public-address.ts";

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

export interface WebAccess {
  /** Addresses of a host. Rejects where there is no such host. */
  resolve(host: string): Promise<readonly HostAddress[]>;
  mayReach(address: string): boolean;
}

/** The internet, without this machine and the private networks that it is in. */
export const publicWeb: WebAccess = {
  resolve: (host) => lookup(host, { all: true }),
  mayReach: isPublicAddress,
};

/**
 * Where to connect to for a URL. The connection is made to these addresses and no name is looked up
 * again, so that a host cannot change where it leads in between. Throws invalid_input for what must
 * not be reached: one address is enough.
 */
export async function addressesOf(web: WebAccess, url: URL): Promise<readonly HostAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  const addresses = family === 0 ? await web.resolve(host) : [{ address: host, family }];
  const closed = addresses.find(({ address }) => !web.mayReach(address));
  if (closed === undefined) return addresses;
  const leads = closed.address === host ? "is" : `leads to ${closed.address},`;
  throw invalidInput(
    `${host} ${leads} an address of this machine or of a private network; web_fetch reads public ` +
      "pages only. A server that you started is asked in the shell.",
  );
}
