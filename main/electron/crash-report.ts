import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Secrets } from '../settings/secrets.ts'
import { launchEnvironment } from '../environment/launch-environment.ts'

/** Maximum number of reports that are kept. Older reports are deleted. */
const REPORTS_AT_MOST = 20

/** Minimum number of characters of a value that is hidden. A shorter value may occur in any text by chance. */
const SHORTEST_KEY = 8

export interface CrashReports {
  /** Writes a report without keys. Never throws. */
  write(error: unknown, where: string): void
  /** Hides this key in all later reports. */
  hide(key: string): void
}

/**
 * Wraps `secrets` so that each key is hidden from reports before it is read or set. A cleared key remains hidden, because an old error may
 * still contain it.
 */
export function hiddenFromReports(secrets: Secrets, reports: CrashReports): Secrets {
  /** Hides each long word, because the text is JSON with tokens in it. */
  const hideAll = (text: string | null): void => {
    for (const [word] of (text ?? '').matchAll(/[\w.~+/=-]{20,}/gu)) reports.hide(word)
  }
  return {
    get newKeysKeptIn() {
      return secrets.newKeysKeptIn
    },
    async get(provider) {
      const key = await secrets.get(provider)
      if (key !== null) reports.hide(key)
      return key
    },
    set(provider, key) {
      reports.hide(key)
      return secrets.set(provider, key)
    },
    texts: {
      async read(name) {
        const text = await secrets.texts.read(name)
        hideAll(text)
        return text
      },
      write(name, text) {
        hideAll(text)
        return secrets.texts.write(name, text)
      },
    },
    clear: (provider) => secrets.clear(provider),
    state: (provider) => secrets.state(provider),
    onChange: (listener) => secrets.onChange(listener),
  }
}

/** Writes reports to `crashes/` in the data folder, readable only by the user. Nothing is sent anywhere. */
export function crashReports(
  dataFolder: string,
  version: string,
  env: Readonly<Record<string, string | undefined>> = launchEnvironment(),
): CrashReports {
  const folder = join(dataFolder, 'crashes')
  const keys = new Set(keysOf(env))
  let count = 0
  return {
    hide: (key) => void keys.add(key),
    write(error, where) {
      const at = new Date().toISOString()
      const text = [`Countersign ${version}, ${process.platform} ${process.arch}`, at, `In: ${where}`, '', inFull(error), ''].join('\n')
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(join(folder, `${at.replaceAll(':', '-')}-${process.pid}-${++count}.txt`), withoutKeys(text, keys), {
          flag: 'wx',
          mode: 0o600,
        })
        const old = readdirSync(folder).toSorted().slice(0, -REPORTS_AT_MOST)
        for (const name of old) rmSync(join(folder, name), { force: true })
      } catch {
        // If the report cannot be written, for example because the disk is full, the app must not crash.
      }
    },
  }
}

function inFull(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\nCaused by: ${inFull(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}

/** Values of variables whose names look like secrets. */
function keysOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => (/KEY|TOKEN|SECRET|PASSWORD/i.test(name) && value ? [value] : []))
}

/**
 * Replaces known keys, and anything that looks like a key.
 */
export function withoutKeys(text: string, keys: Iterable<string>): string {
  const known = [...keys]
    .filter((key) => key.length >= SHORTEST_KEY)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, key) => rest.replaceAll(key, '[key]'), text)
  return known
    .replaceAll(/\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][\w-]{8,}/g, '[key]')
    .replaceAll(/\bAIza[\w-]{20,}/g, '[key]')
    .replaceAll(/\b(Bearer|x-api-key:?|x-goog-api-key:?)\s+\S+/gi, '$1 [key]')
}
