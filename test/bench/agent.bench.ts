import { bareNodeMs, runAgent } from './agent-run.ts'
import { type Figure, median } from './figures.ts'

const REPEATS = 3
const COLD_STARTS = 9

/**
 * Measures the loop overhead per tool round at 30, 200 and 1,000 rounds, the cold start, and the peak memory of the built headless entry
 * (DESIGN §10).
 */
export async function benchAgent(): Promise<readonly Figure[]> {
  const figures: Figure[] = [await coldStart()]
  for (const kind of ['read', 'shell', 'copied shell', 'shell beside'] as const)
    for (const rounds of [30, 200, 1000]) figures.push(...(await rounded(kind, rounds)))
  return figures
}

async function coldStart(): Promise<Figure> {
  const starts: number[] = []
  const bare: number[] = []
  for (let run = 0; run < COLD_STARTS; run++) {
    starts.push((await runAgent('read', 1)).coldStartMs)
    bare.push(await bareNodeMs())
  }
  return {
    promise: 'from a cold start to the first request',
    value: `${median(starts).toFixed(0)} ms (bare Node beside it ${median(bare).toFixed(0)} ms)`,
    method: `median of ${COLD_STARTS}: spawn of node dist/main/run.js to the first byte of its request, scripted server on loopback, new data folder`,
  }
}

async function rounded(kind: 'read' | 'shell' | 'copied shell' | 'shell beside', rounds: number): Promise<readonly Figure[]> {
  const runs = []
  const repeats = rounds >= 1000 ? 1 : REPEATS
  for (let run = 0; run < repeats; run++) runs.push(await runAgent(kind, rounds))
  const gap = median(runs.map((one) => median(one.gapsMs)))
  const flat = median(runs.map((one) => median(one.gapsMs.slice(-10)) / median(one.gapsMs.slice(5, 15))))
  const peak = runs.map((one) => one.peakMb).filter((mb) => mb !== null)
  return [
    {
      promise: `one ${kind} round of ${rounds}`,
      value: `${gap.toFixed(2)} ms, last 10 / rounds 6 to 15: ${flat.toFixed(2)} ×`,
      method: `median of ${repeats} runs' medians: answer's last byte to the next request's first byte; every event is on disk`,
    },
    {
      promise: `peak memory, ${rounds} ${kind} rounds`,
      value: peak.length > 0 ? `${median(peak).toFixed(0)} MB` : 'not measured here',
      method: `median of ${repeats}: the kernel's high-water mark of resident memory of the agent's process`,
    },
  ]
}
