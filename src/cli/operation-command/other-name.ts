import { Option } from "commander";

/**
 * A further name of an option, which the help does not show. Its value is kept apart from that of the
 * option, so that giving both is an error that names both.
 */
export class OtherName extends Option {
  constructor(flags: string, of: string) {
    super(flags, `The same as --${of}.`);
    this.hideHelp().conflicts(new Option(`--${of}`).attributeName());
  }

  /** Commander tells the options of a command apart by this; `-k` and `--k` have one name else. */
  override name(): string {
    return keyOfOtherName(super.name());
  }
}

/** The key under which the parser keeps the value of the further name. */
export function keyOfOtherName(name: string): string {
  return `${name}Otherwise`;
}
