import type { History, PastCall } from './history.ts'
import { DAY_BODIES, DAY_FILE, type DayBody } from './sample-files.ts'

/** Whether a call is about a file of the sample, named relative to the folder or not. */
export function isAbout(call: Pick<PastCall, 'args'>, file: string): boolean {
  const path = call.args['file_path']
  return typeof path === 'string' && (path === file || path.replaceAll('\\', '/').endsWith(`/${file}`))
}

/** The file of days as far as the script has seen and changed it; null: not seen yet. */
export function knownDayFile({ calls }: History): string | null {
  return calls.reduce<string | null>((content, { name, args, outcome }) => {
    if (outcome.kind !== 'done' || !isAbout({ args }, DAY_FILE)) return content
    if (name === 'read_file') return withoutNumbers(outcome.text)
    const { old_string: before, new_string: after } = args
    if (name !== 'edit_file' || typeof before !== 'string' || typeof after !== 'string') return content
    return content?.replace(before, () => after) ?? null
  }, null)
}

/** How the file reads days now; null: in a way that the script does not know. */
export function bodyIn(content: string): DayBody | null {
  return BODIES.find((body) => content.includes(DAY_BODIES[body])) ?? null
}

/** What an edit would have put there; null for other calls. */
export function proposedBody(call: PastCall): DayBody | null {
  if (call.name !== 'edit_file' || !isAbout(call, DAY_FILE)) return null
  return BODIES.find((body) => call.args['new_string'] === DAY_BODIES[body]) ?? null
}

const BODIES: readonly DayBody[] = ['utc', 'split', 'matched', 'read in utc']

function withoutNumbers(text: string): string {
  return text.replaceAll(/^\s*\d+\t/gm, '')
}
