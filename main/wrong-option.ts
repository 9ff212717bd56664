/** Describes in a sentence what is wrong with the options of a command line. `error` was thrown by Node's `parseArgs`. */
export function wrongOption(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? error.code : null
  const [, option = ''] = /'(?:-\w, )?(--?[^\s'=]+)/u.exec(message) ?? []
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${option}.`
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
    return message.includes('does not take an argument') ? `${option} takes no value.` : `${option} needs a value.`
  return `${message
    .trim()
    .replaceAll(/\s*\n\s*/gu, ' ')
    .replace(/\.$/u, '')}.`
}
