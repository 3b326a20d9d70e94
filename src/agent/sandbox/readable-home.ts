import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { isInside } from "../tools/project-paths.ts";

/** Below the home folder: tools, their caches, and how git and editors behave; no keys. */
const READABLE = [
  ".gitconfig",
  ".gitignore",
  ".gitignore_global",
  ".config/git",
  ".editorconfig",
  ".inputrc",
  ".tool-versions",
  ".nvmrc",
  ".config/mise",
  ".config/nvim",
  ".config/npm",
  ".config/pip",
  ".config/uv",
  ".config/pnpm",
  ".config/yarn",
  ".config/go",
  ".config/nix",
  ".nvm",
  ".fnm",
  ".local/share/fnm",
  ".volta",
  ".n",
  ".asdf",
  ".local/share/mise",
  ".pyenv",
  ".rbenv",
  ".rvm",
  ".jenv",
  ".goenv",
  ".sdkman",
  ".rustup",
  ".cargo",
  ".bun",
  ".deno",
  "go",
  ".npm",
  ".npm-global",
  ".yarn",
  ".pnpm-store",
  ".local/share/pnpm",
  ".local/bin",
  ".local/lib",
  ".local/include",
  ".local/pipx",
  ".local/share/pipx",
  ".local/share/uv",
  ".local/share/virtualenvs",
  ".virtualenvs",
  ".venv",
  "venv",
  "bin",
  ".gradle",
  ".m2",
  ".ivy2",
  ".sbt",
  ".coursier",
  ".nuget",
  ".dotnet",
  ".gem",
  ".bundle",
  ".composer",
  ".ghcup",
  ".stack",
  ".cabal",
  ".opam",
  ".elan",
  ".juliaup",
  ".julia",
  ".mix",
  ".hex",
  ".conda",
  "miniconda3",
  "anaconda3",
  "miniforge3",
  "mambaforge",
  ".nix-profile",
  ".nix-defexpr",
  ".local/state/nix",
  ".linuxbrew",
  ".swiftpm",
  ".pub-cache",
  "flutter",
  "Android/Sdk",
  ".android/sdk",
  "Library/pnpm",
  "Library/Caches",
  "Library/Developer",
  ".cache",
];

/** What of the home folder commands may read: tools and caches that are there, and what PATH names. */
export function readableHome(path: string | undefined): readonly string[] {
  const home = homedir();
  const named = READABLE.map((name) => join(home, name));
  const found = (path ?? "").split(delimiter).filter((folder) => isInside(home, folder));
  // A program in `bin` has what it needs beside it.
  const tools = found.map((folder) => {
    const above = dirname(folder);
    return basename(folder) === "bin" && above !== home ? above : folder;
  });
  return [...new Set([...named, ...tools])].filter((one) => one !== home && existsSync(one));
}
