import { Option } from "commander";

export class OtherName extends Option {
  constructor(flags: string, of: string) {
    super(flags, `The same as --${of}.`);
    this.hideHelp().conflicts(new Option(`--${of}`).attributeName());
  }

  /** Commander identifies options by this name; `-k` and `--k` would collide. */
  override name(): string {
    return keyOfOtherName(super.name());
  }
}

export function keyOfOtherName(name: string): string {
  return `${name}Otherwise`;
}
