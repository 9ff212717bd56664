import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reports that are kept; older ones make room. */
const REPORTS_AT_MOST = 20

export interface CrashReports {
  /** Writes what happened, without a key in it. Never throws: whoever reports is in trouble already. */
  write(error: unknown, where: string): void
}

/** Reports in `crashes/` of the data folder, for the person's eyes; nothing is sent anywhere. */
export function crashReports(
  dataFolder: string,
  version: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): CrashReports {
  const folder = join(dataFolder, 'crashes')
  let count = 0
  return {
    write(error, where) {
      const at = new Date().toISOString()
      const text = [`Countersign ${version}, ${process.platform} ${process.arch}`, at, `In: ${where}`, '', inFull(error), ''].join('\n')
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(join(folder, `${at.replaceAll(':', '-')}-${process.pid}-${++count}.txt`), withoutKeys(text, env), {
          flag: 'wx',
          mode: 0o600,
        })
        const old = readdirSync(folder).toSorted().slice(0, -REPORTS_AT_MOST)
        for (const name of old) rmSync(join(folder, name), { force: true })
      } catch {
        // A disk that is full is no reason to fall.
      }
    },
  }
}

function inFull(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\nCaused by: ${inFull(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}

/** Values of variables that are named like secrets, and what looks like a key wherever it stands. */
export function withoutKeys(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    /KEY|TOKEN|SECRET|PASSWORD/i.test(name) && value && value.length >= 8 ? [value] : [],
  )
  const known = secrets.toSorted((one, other) => other.length - one.length).reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text)
  return known
    .replaceAll(/\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][\w-]{8,}/g, '[key]')
    .replaceAll(/\bAIza[\w-]{20,}/g, '[key]')
    .replaceAll(/\b(Bearer|x-api-key:?|x-goog-api-key:?)\s+\S+/gi, '$1 [key]')
}
