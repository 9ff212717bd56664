import { randomUUID } from 'node:crypto'
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Settings } from '../../shared/api/setting-fields.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { writeDurably } from '../store/blobs/durable-file.ts'
import { nothingSaid, parseSettings, unusable, type ParsedSettings } from './parse-settings.ts'

/** Maximum size in bytes. A larger file is not read as settings. */
const MAX_BYTES = 1024 * 1024
/** Interval in ms at which the file is checked for changes by other processes. */
const LOOK_EVERY_MS = 2_000

/** The user's settings, stored in `settings.json` of the data folder. */
export interface SettingsFile extends Disposable {
  current(): Settings
  /** The parts of the file that could not be used, with their positions. */
  troubles(): readonly Trouble[]
  /** Replaces the given fields and keeps the rest of the file. If the file cannot be parsed, fails without writing. */
  change(fields: Partial<Settings>): Result<null, Trouble>
  /** Calls the listener after this or another process changed the settings or their troubles. */
  onChange(listener: () => void): Disposable
}

export function openSettingsFile(folder: string): SettingsFile {
  const file = join(folder, 'settings.json')
  const changed = new Emitter<void>()
  // The stamp is read before the file, so that a change between the two reads is noticed.
  let stamp = stampOf(file)
  let { text, parsed } = load(file)
  const reload = (): void => {
    stamp = stampOf(file)
    const now = load(file)
    if (now.text === text && isDeepStrictEqual(now.parsed.troubles, parsed.troubles)) return
    ;({ text, parsed } = now)
    changed.fire()
  }
  const timer = setInterval(() => stampOf(file) !== stamp && reload(), LOOK_EVERY_MS)
  timer.unref()

  return {
    current: () => parsed.settings,
    troubles: () => parsed.troubles,
    change(fields) {
      reload()
      if (!parsed.raw) return failed(notChanged(parsed.troubles[0]?.what ?? `${file} cannot be read.`, `Repair ${file}, then try again.`))
      const written = `${JSON.stringify({ ...parsed.raw, ...fields }, null, 2)}\n`
      try {
        write(file, written)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return failed(
          notChanged(`The settings could not be saved: ${reason}`, `Make ${folder} writable and free some space, then try again.`),
        )
      }
      reload()
      return ok(null)
    },
    onChange: changed.event,
    dispose: () => clearInterval(timer),
  }
}

const notChanged = (what: string, todo: string): Trouble => ({
  code: 'settings_not_saved',
  what,
  kept: 'The settings are unchanged.',
  todo,
})

/** Text that changes with the file or its content; null if the file cannot be examined. */
export function stampOf(file: string): string | null {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(file, { bigint: true })
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`
  } catch {
    return null
  }
}

function load(file: string): { readonly text: string | null; readonly parsed: ParsedSettings } {
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })) return { text: null, parsed: nothingSaid }
    const stat = statSync(file)
    if (!stat.isFile())
      return { text: null, parsed: unusable(`${file} is not a file.`, 'Move it away. The next change to the settings creates a new file.') }
    if (stat.size > MAX_BYTES)
      return { text: null, parsed: unusable(`${file} is ${stat.size} bytes long, far more than settings need.`, `Shorten ${file}.`) }
    const text = readFileSync(file, 'utf8')
    return { text, parsed: parseSettings(text, file) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { text: null, parsed: unusable(`${file} cannot be read: ${reason}`, `Make ${file} readable for your user.`) }
  }
}

/**
 * Writes a temp file and renames it, so that readers see either the old or the new text. If the file is a link, the link is kept and its
 * target is replaced.
 */
function write(file: string, text: string): void {
  const target = lstatSync(file, { throwIfNoEntry: false }) ? realpathSync(file) : file
  writeDurably(join(dirname(target), `.settings.${randomUUID()}`), target, Buffer.from(text))
}
