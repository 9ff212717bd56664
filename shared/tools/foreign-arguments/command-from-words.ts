type Arguments = Record<string, unknown>

/** Matches a first word that needs no quotes. `=` is not allowed, because the shell would take the word for an assignment. */
const PLAIN = /^[\w@+:,./-]+$/u
const PLAIN_ARGUMENT = /^[\w@+=:,./-]+$/u
const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba)?sh$/u
const TO_RUN = /^-l?c$/u

/**
 * Accepts commands as other agents write them: a list of words becomes one command line, and an empty string as `working_dir` is dropped.
 */
export function withCommandLine({ working_dir: folder, ...args }: Arguments): Arguments {
  const { command } = args
  return {
    ...args,
    ...(isWords(command) && { command: lineOf(command) }),
    ...(folder !== undefined && folder !== '' && { working_dir: folder }),
  }
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
}

/** The command line that starts this program with these arguments. `bash -c SCRIPT` becomes the script. */
function lineOf(words: readonly string[]): string {
  const [program = '', flag = '', script] = words
  if (words.length === 3 && script !== undefined && SHELL.test(program) && TO_RUN.test(flag)) return script
  return quotedLine(words)
}

/** Joins these words to one line for a shell, with quotes if they are needed. */
export function quotedLine(words: readonly string[]): string {
  return words.map((word, index) => ((index === 0 ? PLAIN : PLAIN_ARGUMENT).test(word) ? word : quoted(word))).join(' ')
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
