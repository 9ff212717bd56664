/**
 * The loop that a persistent bash runs: it writes the state after the last command to one pipe (`shell-state.ts` parses it), prints a
 * random end marker that it then gets, reads the next command from another pipe and evaluates it. So all output of a command comes before
 * its end marker, whatever the command prints.
 *
 * The prefix that restores the state is sent separately and evaluates the command, so that a syntax error shows only the user's line.
 *
 * The loop is one line, so that bash counts the lines of a command from 1. The loops around `eval` keep `break` and `continue` inside. The
 * pipes are closed for commands and their children. The loop's steps run without the user's tracing and DEBUG trap, which are restored for
 * the next command. Until both are off, their output is discarded.
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
    take,
    word,
    taken('__countersign_begin'),
    take,
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
