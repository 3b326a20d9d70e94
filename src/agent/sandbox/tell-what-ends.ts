/** Shell text that names processes left at the end. A command with an EXIT trap is not told. */
const AT_END = [
  "unset CAIRN_AT_END; trap '",
  "set +euf; unset IFS; __left=; __own=();",
  'while read -r __key __ids; do [ "$__key" = NSpid: ] && __own=($__ids); done </proc/self/status;',
  "for __dir in /proc/[0-9]*; do",
  "__pid=(); __words=(); __state=;",
  "while read -r __key __ids; do case $__key in",
  'NSpid:) __pid=($__ids);; State:) __state=$__ids;; esac; done 2>/dev/null <"$__dir/status";',
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is the shell's.
  "[ ${#__pid[@]} -eq ${#__own[@]} ] && [ ${#__pid[@]} -gt 0 ] || continue;",
  'case "${__pid[-1]} $__state" in "1 "*|"$$ "*|"$PPID "*|*" Z"*|*" X"*) continue;; esac;',
  // A process has no arguments while it is becoming another program.
  'for __try in 1 2 3 4 5 6 7 8 9; do [ ${#__words[@]} -eq 0 ] || break; [ $__try -lt 4 ] || sleep 0.01; [ -d "$__dir" ] || break;',
  'while read -r -d "" __word; do __words+=("$__word"); done 2>/dev/null <"$__dir/cmdline"; done;',
  '__line="${__words[*]}"; __line="${__line##*CAIRN_AT_END\\"; }"; case "$__line" in ""|*"socat TCP-LISTEN:"*) continue;; esac;',
  '__left="$__left${__left:+; }${__line:0:100}"; done;',
  '[ -z "$__left" ] || printf "\\n[With the command ended what it had left running: %s.',
  'In the sandbox only \\"background\\" keeps a command.]\\n" "$__left" >&2',
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is the shell's.
  "' EXIT",
].join(" ");

/** Goes before a command, on its first line; a variable contains the text. */
export const TELLING = 'eval "$CAIRN_AT_END"; ';

export const TELLING_VARIABLE = `export CAIRN_AT_END='${AT_END.replaceAll("'", "'\\''")}'; `;
