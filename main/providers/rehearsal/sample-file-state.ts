import type { History, PastCall } from './script-facts.ts'
import { DAY_BODIES, DAY_FILE, type DayBody } from './sample-files.ts'

/** Whether a call is about a file of the sample, by a relative or absolute path. */
export function isAbout(call: Pick<PastCall, 'args'>, file: string): boolean {
  const path = call.args['file_path']
  return typeof path === 'string' && (path === file || path.replaceAll('\\', '/').endsWith(`/${file}`))
}

/** The content of `DAY_FILE` after the script's reads and edits; null if the script has not read it yet. */
export function dayFileSoFar({ calls }: History): string | null {
  return calls.reduce<string | null>((content, { name, args, outcome }) => {
    if (outcome.kind !== 'done' || !isAbout({ args }, DAY_FILE)) return content
    if (name === 'read_file') return withoutNumbers(outcome.text)
    const { old_string: before, new_string: after } = args
    if (name !== 'edit_file' || typeof before !== 'string' || typeof after !== 'string') return content
    return content?.replace(before, () => after) ?? null
  }, null)
}

/** The body of `parseDay` in the file; null if the script does not know it. */
export function bodyIn(content: string): DayBody | null {
  return BODIES.find((body) => content.includes(DAY_BODIES[body])) ?? null
}

/** The body that an edit proposed; null if the call is not such an edit. */
export function proposedBody(call: PastCall): DayBody | null {
  if (call.name !== 'edit_file' || !isAbout(call, DAY_FILE)) return null
  return BODIES.find((body) => call.args['new_string'] === DAY_BODIES[body]) ?? null
}

const BODIES: readonly DayBody[] = ['utc', 'split', 'matched', 'read in utc']

function withoutNumbers(text: string): string {
  return text.replaceAll(/^\s*\d+\t/gm, '')
}
