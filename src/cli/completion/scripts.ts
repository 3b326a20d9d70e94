import { quoteForShell } from "../../shared/text.ts";
import { NOUN_SUMMARIES } from "../cli-command.ts";
import type { DescribedCommand, DescribedOption } from "../describe-program.ts";

type Script = (commands: readonly DescribedCommand[]) => string;

const TAKES_FILE = ["apply", "export", "import"];

/** Scripts contain every command and option; values come from `cairn __complete`. */
export const COMPLETION_SCRIPTS: Readonly<Record<"bash" | "zsh" | "fish", Script>> = {
  bash: createBashScript,
  zsh: createZshScript,
  fish: createFishScript,
};

function createBashScript(commands: readonly DescribedCommand[]): string {
  const cases = commands
    .map(
      ({ name, options }) =>
        `    ${quoteForShell(name)}) words="${longNames(options).join(" ")}" ;;`,
    )
    .join("\n");
  const nouns = Object.entries(verbsByNoun(commands))
    .map(([noun, verbs]) => `      ${noun}) words="${verbs.map(({ name }) => name).join(" ")}" ;;`)
    .join("\n");
  return `# bash completion of cairn
_cairn() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    words="${firstWords(commands)
      .map(({ name }) => name)
      .join(" ")} --help --version"
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  if [[ $COMP_CWORD -eq 2 && "$current" != -* ]]; then
    case "$command" in
${nouns}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [[ \${#COMPREPLY[@]} -gt 0 ]] && return
    words=""
  fi
  case "$command" in
    ${Object.keys(verbsByNoun(commands)).join("|")}) command="$command \${COMP_WORDS[2]}" ;;
  esac
  case "$command" in
${cases}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ " ${TAKES_FILE.join(" ")} " == *" $command "* ]]; then
    COMPREPLY=($(compgen -f -- "$current"))
  else
    _cairn_values
  fi
}
_cairn_values() {
  local line="\${COMP_LINE:0:COMP_POINT}" values value
  # bash splits words at colons and equal signs, and completes the last part alone.
  local whole="\${line##*[[:space:]]}" lead=""
  [[ "$whole" == *[:=]* ]] && lead="\${whole%"\${whole##*[:=]}"}"
  values="$(cairn __complete "$line" 2>/dev/null)" || return 0
  while IFS=$'\\t' read -r value _; do
    [[ -n "$value" ]] && COMPREPLY+=("\${value#"$lead"}")
  done <<< "$values"
}
complete -o filenames -F _cairn cairn
`;
}

function createZshScript(commands: readonly DescribedCommand[]): string {
  const names = firstWords(commands)
    .map(({ name, summary }) => `    ${quoteForShell(`${name}:${summary}`)}`)
    .join("\n");
  const nouns = Object.entries(verbsByNoun(commands))
    .map(
      ([noun, verbs]) =>
        `      ${noun}) commands=(${verbs.map(({ name, summary }) => quoteForShell(`${name}:${summary}`)).join(" ")}) ;;`,
    )
    .join("\n");
  const cases = commands
    .map(({ name, options }) => {
      const specs = options.map((option) => quoteForShell(zshOption(option)));
      const file = [
        quoteForShell(TAKES_FILE.includes(name) ? "1:file:_files" : "*:value:_cairn_values"),
      ];
      return `    ${quoteForShell(name)}) _arguments ${[...specs, ...file].join(" ")} ;;`;
    })
    .join("\n");
  return `#compdef cairn
# zsh completion of cairn
_cairn() {
  local -a commands
  commands=(
${names}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  if (( CURRENT == 3 )); then
    commands=()
    case "$command" in
${nouns}
    esac
    if (( $#commands )); then
      _describe command commands && return
    fi
  fi
  shift words
  (( CURRENT-- ))
  case "$command" in
    ${Object.keys(verbsByNoun(commands)).join("|")}) command="$command $words[2]"; shift words; (( CURRENT-- )) ;;
  esac
  case "$command" in
${cases}
  esac
}
_cairn_values() {
  local -a rows values
  rows=(\${(f)"$(cairn __complete "$LBUFFER" 2>/dev/null)"})
  values=(\${rows%%$'\\t'*})
  (( $#values )) && compadd -- $values
}
if [[ "$funcstack[1]" == _cairn ]]; then
  _cairn "$@"
else
  compdef _cairn cairn
fi
`;
}

function zshOption({ long, description, takesValue }: DescribedOption): string {
  const text = description.replace(/[[\]\\:]/g, " ");
  return `${long}[${text}]${takesValue ? ":value:_cairn_values" : ""}`;
}

function createFishScript(commands: readonly DescribedCommand[]): string {
  const first = firstWords(commands).map(
    ({ name, summary }) =>
      `complete -c cairn -n __fish_use_subcommand -a ${name} -d ${quoteForShell(summary)}`,
  );
  const second = Object.entries(verbsByNoun(commands)).flatMap(([noun, verbs]) =>
    verbs.map(
      ({ name, summary }) =>
        `complete -c cairn -n "__fish_seen_subcommand_from ${noun}" -a ${name} -d ${quoteForShell(summary)}`,
    ),
  );
  const options = commands.flatMap(({ name, options }) => {
    const seen = name
      .split(" ")
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join("; and ");
    return [
      ...options.map(({ long, description, takesValue }) => {
        const flag = long.replace(/^--/, "");
        const value = takesValue ? " -r" : "";
        return `complete -c cairn -n "${seen}" -l ${flag}${value} -d ${quoteForShell(description)}`;
      }),
      ...(TAKES_FILE.includes(name) ? [`complete -c cairn -n "${seen}" -F`] : []),
    ];
  });
  return `# fish completion of cairn\ncomplete -c cairn -f\ncomplete -c cairn -n "not __fish_use_subcommand" -a "(cairn __complete (commandline -cp) 2>/dev/null)"\n${[...first, ...second, ...options].join("\n")}\n`;
}

interface Word {
  readonly name: string;
  readonly summary: string;
}

function firstWords(commands: readonly DescribedCommand[]): readonly Word[] {
  const words = new Map<string, Word>();
  for (const { name, summary } of commands) {
    const [first = name, second] = name.split(" ");
    const noun = NOUN_SUMMARIES.find((one) => one.name === first);
    if (!words.has(first)) {
      words.set(first, {
        name: first,
        summary: second === undefined ? summary : (noun?.summary ?? ""),
      });
    }
  }
  return [...words.values()];
}

function verbsByNoun(
  commands: readonly DescribedCommand[],
): Readonly<Record<string, readonly Word[]>> {
  return Object.fromEntries(
    NOUN_SUMMARIES.map(({ name: noun }) => [
      noun,
      commands
        .filter(({ name }) => name.startsWith(`${noun} `))
        .map(({ name, summary }) => ({ name: name.slice(noun.length + 1), summary })),
    ]),
  );
}

function longNames(options: readonly DescribedOption[]): string[] {
  return [...options.map(({ long }) => long), "--help"];
}
