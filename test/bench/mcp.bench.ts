import { runAgent } from './agent-run.ts'
import { type Figure, median } from './figures.ts'

const STARTS = 7
const SERVERS = 10

/**
 * Measures the time that MCP servers add to a cold start if the first request does not need them (target: less than the start of one
 * server).
 */
export async function benchMcp(): Promise<readonly Figure[]> {
  const without: number[] = []
  const beside: number[] = []
  // The variants run alternately, so that other load on the machine affects both.
  for (let run = 0; run < STARTS; run++) {
    without.push((await runAgent('read', 1)).coldStartMs)
    beside.push((await runAgent('read', 1, SERVERS)).coldStartMs)
  }
  return [
    {
      promise: `first request with ${SERVERS} MCP servers that never answer`,
      value: `${median(beside).toFixed(0)} ms beside ${median(without).toFixed(0)} ms without servers`,
      method: `median of ${STARTS}: spawn of node dist/main/run.js to the first byte of its request; each server is a program of Node`,
    },
  ]
}
