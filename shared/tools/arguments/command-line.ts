type Arguments = Record<string, unknown>

/** What a shell takes as it stands; a first word must not be an assignment. */
const PLAIN = /^[\w@+:,./-]+$/u
const PLAIN_ARGUMENT = /^[\w@+=:,./-]+$/u
const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba)?sh$/u
const TO_RUN = /^-l?c$/u

/** Commands as other agents give them (D-51): the words of a program's start as one line; an empty folder is none. */
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

/** The line by which a shell starts just this program with just these words; the script alone, where that is all that a shell is started for. */
function lineOf(words: readonly string[]): string {
  const [program = '', flag = '', script] = words
  if (words.length === 3 && script !== undefined && SHELL.test(program) && TO_RUN.test(flag)) return script
  return words.map((word, index) => ((index === 0 ? PLAIN : PLAIN_ARGUMENT).test(word) ? word : quoted(word))).join(' ')
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
