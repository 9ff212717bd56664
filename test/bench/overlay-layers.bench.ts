import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobHash, SessionId } from '../../shared/lib/ids.ts'
import { createOverlayLayers } from '../../main/environment/layers/overlay/overlay-layers.ts'
import type { RunningInLayer } from '../../main/environment/layers/overlay/running-in-layer.ts'
import { missingPart } from '../../main/environment/copy/copy-support.ts'
import { type Figure, median } from './figures.ts'

const FILES = 50_000
const FOLDERS = 500
const RUNS = 10
const MANY = 1_000
const ENV = { PATH: '/usr/bin:/bin' }

/** Measures layers of a large folder: how long they take to open, and to tell what has changed. */
export async function benchOverlayLayers(): Promise<readonly Figure[]> {
  const missing = await missingPart()
  if (missing.kind === 'absent') return [{ promise: 'layers', value: 'skipped', method: missing.reason }]
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')))
  const folder = join(base, 'project')
  const data = join(base, 'data')
  const layers = createOverlayLayers({
    folder,
    layers: join(data, 'layers'),
    frozen: join(data, 'frozen'),
    hidden: [data],
    missing: () => Promise.resolve(null),
    put: (bytes) => Promise.resolve(BlobHash.parse(createHash('sha256').update(bytes).digest('hex'))),
  })
  try {
    plant(folder)
    const opened: number[] = []
    for (let run = 0; run <= RUNS; run++) {
      const session = SessionId.parse(`open${run}`)
      const begin = performance.now()
      await layers.make(session, AbortSignal.timeout(60_000))
      const running = await layers.start(session, ['true'], { env: ENV })
      opened.push(performance.now() - begin)
      await running.ended
      await layers.remove(session)
    }
    const session = SessionId.parse('work')
    await layers.make(session, AbortSignal.timeout(60_000))
    const shell = await layers.start(session, ['bash', '--norc'], { env: ENV })
    const changes = (files: number): Promise<Figure> => changesRow(files, shell, () => layers.changes(session))
    return [
      {
        promise: `open a layer of ${FILES} files`,
        value: `${median(opened.slice(1)).toFixed(0)} ms`,
        method: `median of ${RUNS}, until the first process inside has shown where it stands; bar: 300 ms`,
      },
      await changes(1),
      await changes(MANY),
      await refreshRow(shell),
    ]
  } finally {
    await layers.close()
    rmSync(base, { recursive: true, force: true })
  }
}

function plant(folder: string): void {
  for (let index = 0; index < FILES; index++) {
    const inner = join(folder, 'src', `d${index % FOLDERS}`)
    if (index < FOLDERS) mkdirSync(inner, { recursive: true })
    writeFileSync(join(inner, `f${index}.ts`), `export const n${index} = ${index}\n`)
  }
}

async function ask(shell: RunningInLayer, line: string): Promise<void> {
  shell.stdin.write(`${line}; echo done\n`)
  await once(shell.stdout, 'data')
}

/** `files` of the files are changed before each measurement. */
async function changesRow(files: number, shell: RunningInLayer, changes: () => Promise<unknown>): Promise<Figure> {
  const times: number[] = []
  const cpu: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    await ask(shell, `for ((i = 0; i < ${files}; i++)); do echo ${run} > src/d$((i % ${FOLDERS}))/f$i.ts; done`)
    const begin = performance.now()
    const before = process.threadCpuUsage()
    await changes()
    times.push(performance.now() - begin)
    const used = process.threadCpuUsage(before)
    cpu.push((used.user + used.system) / 1_000)
  }
  return {
    promise: `the change set after a step that changed ${files === 1 ? 'a file' : `${files} files`} of ${FILES}`,
    value: `${median(times.slice(1)).toFixed(1)} ms, CPU time ${median(cpu.slice(1)).toFixed(1)} ms (the first time, with the versions on which they are based, ${(times[0] ?? 0).toFixed(0)} ms)`,
    method: `median of ${RUNS}; bar: ${files === 1 ? 10 : 80} ms`,
  }
}

async function refreshRow(shell: RunningInLayer): Promise<Figure> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await ask(shell, 'find . -name "*.ts" | wc -l >/dev/null')
    const begin = performance.now()
    await shell.refresh()
    times.push(performance.now() - begin)
  }
  return {
    promise: 'show what was replaced in the folder',
    value: `${median(times).toFixed(0)} ms`,
    method: `median of ${RUNS}, after find; no bar`,
  }
}
