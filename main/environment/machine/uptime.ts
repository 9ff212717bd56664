import { readFile } from 'node:fs/promises'

/** The time since the start of this machine, in the unit in which Linux reports when a process started (0.01 s). Null on other systems. */
export async function machineUptime(): Promise<number | null> {
  const text = await readFile('/proc/uptime', 'utf8').catch(() => null)
  return text === null ? null : Math.floor(Number.parseFloat(text) * 100)
}
