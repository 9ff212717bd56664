import { writeSync } from 'node:fs'

/** Prints one JSON line synchronously, so that the line is complete even if the process is killed immediately afterwards. */
export function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`)
}
