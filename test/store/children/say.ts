import { writeSync } from 'node:fs'

/** One JSON line, written before it returns: what is said was so when it was said, also if the process is killed next. */
export function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`)
}
