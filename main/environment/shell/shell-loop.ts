/**
 * What a lasting bash runs, over and over: it answers on one pipe with how the last command left it (`shell-state.ts` reads that), prints
 * the word that it is sent then, which nobody could know before, takes the next command from another pipe and carries it out in itself.
 * So all output of a command stands before its word, whatever the command prints (fault 33).
 *
 * What a command is begun with comes apart from it and evaluates it, so that an error of syntax shows the person's line alone.
 *
 * One line, so that bash counts the lines of a command from 1. The loops around `eval` give `break` and `continue` something to leave
 * that leads here again. The pipes are closed to commands and to what those start. Our own steps run without the person's tracing and
 * DEBUG trap, which the next command gets back; until both are off, what they say goes to nowhere.
 */
export function shellLoop(inTerminal: boolean): string {
  const taken = (name: string): string => `IFS= builtin read -r -d "" -u 198 ${name} || builtin exit 0`
  const take = taken('__countersign')
  const word = `builtin printf %s "$__countersign" >&196${inTerminal ? '' : '; builtin printf %s "$__countersign" >&197'}`
  const step = [
    '__countersign_status=("${__countersign_status[@]:-$?}")',
    '__countersign_flags=$-',
    'builtin set +x',
    'builtin printf "%d," "${__countersign_status[@]}" >&199',
    String.raw`builtin printf " %s %s\n" "$__countersign_flags" "$__countersign_back" >&199`,
    'builtin pwd >&199',
    String.raw`builtin printf "\1" >&199`,
    'builtin trap -p DEBUG ERR >&199',
    'builtin trap - DEBUG',
    String.raw`builtin printf "\0" >&199`,
    'builtin unset __countersign_status',
    '__countersign_back=',
    ...[take, word, taken('__countersign_begin'), take],
  ].join('; ')
  const nowhere = '>/dev/null 2>&1'
  const loops = `while { :; } ${nowhere}; do while { :; } ${nowhere}; do while { ${step}; } ${nowhere}; do`
  return [
    'exec 196>&1 197>&2 198<"$1" 199>"$2"',
    'set --',
    'shopt -s expand_aliases',
    '__countersign_back=',
    `${loops} builtin eval "\${__countersign_begin:-$__countersign}" 196>&- 197>&- 198<&- 199>&-`,
    'done; done; done',
  ].join('; ')
}
