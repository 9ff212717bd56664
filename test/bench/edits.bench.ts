import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countChangedLines } from '../../main/changes/count-changed-lines.ts'
import { createWorkbench, type Workbench } from '../tools/workbench.ts'
import { type Figure, median } from './figures.ts'

const RUNS = 5
const LINES_OF_50_MB = 1_250_000
const HUNKS = 5000
const NEW_FILES = 3000

/** Measures the editing tools over real files. Each edit is prepared and written as in a signed call, but without the agent loop. */
export async function benchEdits(): Promise<readonly Figure[]> {
  return [
    {
      promise: 'edit_file, one line in a file of 50 MB',
      value: await timed((bench, run) => bench.call('edit_file', swap(run)), LINES_OF_50_MB),
      method: `median of ${RUNS} after one: read, found unique, counted, compared, written with fsync`,
    },
    {
      promise: `apply_patch, ${HUNKS} hunks in 1 MB (bar < 2 s)`,
      value: await timed((bench, run) => bench.call('apply_patch', { patch: patch(run) }), HUNKS * 4),
      method: `median of ${RUNS} after one: parsed, every hunk placed and unique, written with fsync`,
    },
    {
      promise: `apply_patch, ${NEW_FILES} new files in 30 folders`,
      value: await timed((bench, run) => bench.call('apply_patch', { patch: newFiles(run) }), 1),
      method: `median of ${RUNS} after one: parsed, every path checked, every file written with fsync, 16 at the same time`,
    },
    {
      promise: 'counting the changed lines (bar 50 ms)',
      value: slowestCount(),
      method: `the slowest of ${COUNTED.length} pairs at the limits, median of ${RUNS} each`,
    },
  ]
}

const line = (index: number): string => `${String(index).padStart(7)} the quick brown fox jumps over it`
const changed = (index: number, run: number): string => (run === 0 ? line(index) : `${line(index)} in run ${run}`)

const NUMBERS = Array.from({ length: 10_000 }, (_, index) => index)

/** Pairs of texts at the size limits up to which the main process counts lines. */
const COUNTED: readonly (readonly [string, string])[] = [
  [NUMBERS.map((n) => `a${n}\n`).join(''), NUMBERS.map((n) => `b${n}\n`).join('')],
  [NUMBERS.map((n) => `a${n}\n`).join(''), NUMBERS.map((n) => `a${(n * 7919) % NUMBERS.length}\n`).join('')],
  [NUMBERS.map((n) => `r${(n * n * 31) % 97}\n`).join(''), NUMBERS.map((n) => `r${(n * n * 17) % 97}\n`).join('')],
  ['', 'x\n'.repeat(4_000_000)],
  ['x\n'.repeat(25_000_000), `${'x\n'.repeat(25_000_000)}y\n`],
]

function slowestCount(): string {
  const medians = COUNTED.map(([before, after]) => {
    const old = Buffer.from(before)
    const fresh = Buffer.from(after)
    return median(
      Array.from({ length: RUNS }, () => {
        const began = performance.now()
        countChangedLines(old, fresh)
        return performance.now() - began
      }),
    )
  })
  return `${Math.max(...medians).toFixed(0)} ms`
}

function swap(run: number): object {
  const index = LINES_OF_50_MB / 2
  return { file_path: 'big.txt', old_string: `${changed(index, run)}\n`, new_string: `${changed(index, run + 1)}\n` }
}

function patch(run: number): string {
  const hunks = Array.from({ length: HUNKS }, (_, hunk) => {
    const index = hunk * 4 + 1
    return `@@\n ${line(index - 1)}\n-${changed(index, run)}\n+${changed(index, run + 1)}\n`
  })
  return `*** Begin Patch\n*** Update File: big.txt\n${hunks.join('')}*** End Patch`
}

function newFiles(run: number): string {
  const files = Array.from({ length: NEW_FILES }, (_, n) => `*** Add File: run${run}/d${n % 30}/f${n}.ts\n+export const n = ${n}\n`)
  return `*** Begin Patch\n${files.join('')}*** End Patch`
}

async function timed(work: (bench: Workbench, run: number) => Promise<{ readonly isError: boolean }>, lines: number): Promise<string> {
  const bench = createWorkbench()
  try {
    writeFileSync(join(bench.root, 'big.txt'), Array.from({ length: lines }, (_, index) => `${line(index)}\n`).join(''))
    const times: number[] = []
    for (let run = 0; run <= RUNS; run++) {
      const began = performance.now()
      if ((await work(bench, run)).isError) throw new Error('the edit failed')
      times.push(performance.now() - began)
      bench.blobs.clear()
    }
    return `${Math.round(median(times.slice(1)))} ms`
  } finally {
    await bench.dispose()
  }
}
