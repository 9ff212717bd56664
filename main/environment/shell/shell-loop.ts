/**
 * What a lasting bash runs, over and over: it answers on one pipe with the status of the last command and its folder, prints the word
 * that it is sent then, which nobody could know before, takes the next command from another pipe and carries it out in itself. So all
 * output of a command stands before its word, whatever the command prints (fault 33).
 *
 * One line, so that bash counts the lines of a command from 1. The loops around `eval` give `break` and `continue` something to leave
 * that leads here again. The pipes are closed to commands and to what those start. Our own steps say nothing when tracing is on.
 */
export function shellLoop(inTerminal: boolean): string {
  const take = 'IFS= builtin read -r -d "" -u 198 __countersign || builtin exit 0'
  const answer = String.raw`{ builtin printf "%d " "$__countersign_status"; builtin pwd; builtin printf "\0"; } >&199`
  const word = `builtin printf %s "$__countersign" >&196${inTerminal ? '' : '; builtin printf %s "$__countersign" >&197'}`
  return [
    'exec 196>&1 197>&2 198<"$1" 199>"$2"',
    'set --',
    'shopt -s expand_aliases',
    'while :; do while { __countersign_status=$?; } 2>/dev/null; do',
    `{ ${answer}; ${take}; ${word}; ${take}; } 2>/dev/null`,
    'for _ in 1; do builtin eval "$__countersign" 196>&- 197>&- 198<&- 199>&-',
    'done; done; done',
  ]
    .join('; ')
    .replaceAll('do; ', 'do ')
}
