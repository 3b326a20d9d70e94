import { tokenEnd } from "../access/index.ts";
import { invalidInput, stateConflict } from "../shared/errors.ts";
import { codeRows } from "./draw-code.ts";
import { KeptPhones, type PhoneRecord, requirePhoneName } from "./kept-phones.ts";
import { openPhoneDoor, type PhoneDoor, type PhoneDoorOptions, type Wanted } from "./phone-door.ts";

/** A link that pairs a phone, once. */
export interface PairingLink {
  readonly url: string;
  readonly until: string;
  /** Its QR code: rows of `1` for dark and `0` for light. */
  readonly rows: readonly string[];
  /** What to know of the way that words go; undefined where they are encrypted. */
  readonly warning?: string | undefined;
}

export interface PhonesStanding {
  /** Where phones are let in; undefined: nowhere. */
  readonly url?: string | undefined;
  readonly phones: readonly PhoneRecord[];
}

/** The phones of one agent: whether they are let in at all, and which ones. */
export class Phones {
  readonly #kept: KeptPhones;
  readonly #options: Omit<PhoneDoorOptions, "phones">;
  #door: { readonly address: string; readonly opening: Promise<PhoneDoor> } | undefined;

  constructor(dataDir: string, options: Omit<PhoneDoorOptions, "phones">) {
    this.#kept = new KeptPhones(dataDir);
    this.#options = options;
  }

  /**
   * Listens at `address` from now on. Throws conflict where it listens elsewhere already, and what
   * `openPhoneDoor` throws.
   */
  async open(address: string): Promise<PhoneDoor> {
    const present = this.#door;
    if (present !== undefined) {
      if (present.address === address) return present.opening;
      const { url } = await present.opening;
      throw stateConflict(
        `Phones are let in at ${url} already: end \`cairn ui\` to choose another.`,
      );
    }
    const opening = openPhoneDoor(address, { ...this.#options, phones: this.#kept });
    this.#door = { address, opening };
    try {
      return await opening;
    } catch (error) {
      this.#door = undefined;
      throw error;
    }
  }

  /** Throws invalid_input where no address is named and none is open, and what `open` throws. */
  async makeLink({
    address,
    ...wanted
  }: Wanted & { readonly address?: string | undefined }): Promise<PairingLink> {
    if (wanted.name !== undefined) requirePhoneName(wanted.name);
    const isTaken = this.list().some(({ name }) => name === wanted.name);
    if (isTaken) {
      throw stateConflict(`name: there is a phone "${wanted.name}" already. Take another name.`);
    }
    if (wanted.expires !== undefined) tokenEnd(wanted.expires, new Date());
    const where = address ?? this.#behindProxy();
    const door = where === undefined ? await this.#door?.opening : await this.open(where);
    if (door === undefined) throw invalidInput(NOWHERE);
    const { url, until } = door.makeLink(wanted);
    const warning = door.url.startsWith("https:") ? undefined : IN_THE_CLEAR;
    return { url, until: until.toISOString(), rows: codeRows(url), warning };
  }

  /** A proxy on this machine needs no more than an address that it alone reaches. */
  #behindProxy(): string | undefined {
    const isNeeded = this.#door === undefined && this.#options.settings.phoneUrl !== undefined;
    return isNeeded ? "127.0.0.1" : undefined;
  }

  async standing(): Promise<PhonesStanding> {
    const door = await this.#door?.opening;
    return { url: door?.url, phones: this.list() };
  }

  list(): readonly PhoneRecord[] {
    return this.#kept.list();
  }

  revoke(name: string): void {
    this.#kept.revoke(name);
  }

  async close(): Promise<void> {
    await (await this.#door?.opening)?.close();
  }
}

const NOWHERE =
  "Phones are let in nowhere yet: say --lan to listen in this network, --phone-host for one address, or --phone-url for a proxy in front.";

const IN_THE_CLEAR =
  "Over http, whoever is in this network can read along (commands, changes, words) and could answer in the phone's place. Use it in a network that you trust, or choose https: the guide on phones says how.";
