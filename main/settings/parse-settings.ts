import { isObject } from '../../shared/lib/json.ts'
import { SettingFields, type Settings } from '../../shared/api/setting-fields.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { DEFAULT_SETTINGS, isSettingsField, type SettingsField } from './default-settings.ts'

/**
 * A parsed settings file. `raw` contains everything in the file, including unknown keys; it is null if the file could not be parsed and
 * must not be overwritten.
 */
export interface ParsedSettings {
  readonly settings: Settings
  readonly troubles: readonly Trouble[]
  readonly raw: Readonly<Record<string, unknown>> | null
}

export const nothingSaid: ParsedSettings = { settings: DEFAULT_SETTINGS, troubles: [], raw: {} }

export const unusable = (what: string, todo: string): ParsedSettings => ({
  settings: DEFAULT_SETTINGS,
  troubles: [
    {
      code: 'settings_unusable',
      what,
      kept: 'The file is unchanged. Until it is repaired, the defaults are used, so every step with effects needs your signature.',
      todo,
    },
  ],
  raw: null,
})

/** Reads each field separately. An invalid field gets its default and a `Trouble` with the file, the line and the field. */
export function parseSettings(text: string, file: string): ParsedSettings {
  const json = text.replace(/^\uFEFF/, '')
  let raw: unknown
  try {
    raw = json.trim() === '' ? {} : JSON.parse(json)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return unusable(`${file} is not valid JSON: ${reason}`, `Repair ${file}; Countersign then reads it again automatically.`)
  }
  if (!isObject(raw))
    return unusable(`${file} does not contain a JSON object.`, `Repair ${file}; Countersign then reads it again automatically.`)
  const lines = keyLines(json)
  const place = (name: string): string => `${file}, line ${lines.get(name) ?? 1}`
  const read = Object.entries(raw).map(([name, value]) => readField(name, value, place(name)))
  return {
    settings: { ...DEFAULT_SETTINGS, ...Object.fromEntries(read.flatMap(({ entry }) => (entry ? [entry] : []))) },
    troubles: read.flatMap(({ trouble }) => (trouble ? [trouble] : [])),
    raw,
  }
}

interface ReadField {
  readonly entry?: readonly [SettingsField, unknown]
  readonly trouble?: Trouble
}

function readField(name: string, value: unknown, place: string): ReadField {
  if (!isSettingsField(name)) {
    const what = `${place}: "${name}" is not a setting of this version.`
    return {
      trouble: {
        code: 'settings_unknown_key',
        what,
        kept: 'The entry is left in the file and has no effect.',
        todo: 'Check the spelling of the entry.',
      },
    }
  }
  const parsed = SettingFields[name].safeParse(value)
  if (parsed.success) return { entry: [name, parsed.data] }
  const reason = parsed.error.issues[0]?.message ?? 'it is not valid'
  const what = `${place}: "${name}" cannot be used. ${reason}`
  const kept = `The file is unchanged. The default of "${name}" is used: ${JSON.stringify(DEFAULT_SETTINGS[name])}.`
  return { trouble: { code: 'settings_bad_value', what, kept, todo: 'Correct the value in the file, or choose it again in Settings.' } }
}

/** The line, counted from 1, of each key of the outermost object in a JSON text. The text must be valid JSON. */
function keyLines(json: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  let depth = 0
  let line = 1
  for (const { 0: token } of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]\n]/g)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (token === '\n') line++
    else {
      if (depth === 1 && token.endsWith(':')) lines.set(String(JSON.parse(token.slice(0, token.lastIndexOf('"') + 1))), line)
      line += token.split('\n').length - 1
    }
  }
  return lines
}
