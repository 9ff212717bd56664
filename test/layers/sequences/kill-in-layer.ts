import { readdirSync, readFileSync } from 'node:fs'

/** Kills every process that runs in the layer of a session. */
export function killInLayer(sessionId: string): Promise<void> {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/u.test(name)) continue
    try {
      if (readFileSync(`/proc/${name}/mountinfo`, 'utf8').includes(`/${sessionId}/tmp /tmp `)) process.kill(Number(name), 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  return Promise.resolve()
}
