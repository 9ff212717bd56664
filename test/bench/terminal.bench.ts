import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node-pty'
import type { RunningTerminal } from '../../main/agent/ports/execution-environment.ts'
import { terminalsHandlers } from '../../main/api/terminals.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { openMemoryStore } from '../../main/store/open-store.ts'
import { createTerminals } from '../../main/terminals/terminals.ts'
import { terminalsApi } from '../../shared/api/terminals.ts'
import { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { connect } from '../../shared/wire/connect.ts'
import { NO_OWN_TERMINALS } from '../support/no-own-terminals.ts'
import { memoryWire } from '../support/memory-wire.ts'
import { serve } from '../../shared/wire/serve.ts'
import { type Figure, median } from './figures.ts'

const REPEATS = 5
const CALL = { sessionId: SessionId.parse('bench'), toolCallId: ToolCallId.parse('call') }
const SIZE = { columns: 80, rows: 24 }

/** Compares a command's terminal with the bare pty for 13 MB of output: with a window that acknowledges at once, and without a window. */
export async function benchTerminal(): Promise<readonly Figure[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')))
  try {
    writeFileSync(join(folder, 'big.txt'), 'a line of a log that is as long as lines of logs usually are\n'.repeat(213_000))
    const times = { raw: [] as number[], unwatched: [] as number[], watched: [] as number[] }
    for (let run = 0; run <= REPEATS; run++) {
      const one = { raw: await raw(folder), unwatched: await ours(folder, false), watched: await ours(folder, true) }
      if (run > 0) for (const which of ['raw', 'unwatched', 'watched'] as const) times[which].push(one[which])
    }
    const bare = median(times.raw)
    const unwatched = median(times.unwatched)
    const watched = median(times.watched)
    return [
      {
        promise: 'terminal throughput, 13 MB',
        value: `watched ${(bare / watched).toFixed(2)} × the raw pty (${watched.toFixed(0)} ms beside ${bare.toFixed(0)} ms), unwatched ${(bare / unwatched).toFixed(2)} ×`,
        method: `median of ${REPEATS}, in turn, in this process: cat of a file in a node-pty that only counts, and as an agent's command, with a window over the memory wire that acknowledges what comes`,
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function raw(folder: string): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const pty = spawn('cat', ['big.txt'], { cwd: folder, cols: SIZE.columns, rows: SIZE.rows, encoding: null })
    pty.onData(() => {})
    pty.onExit(() => resolve(performance.now() - startedAt))
  })
}

async function ours(folder: string, isWatched: boolean): Promise<number> {
  const terminals = createTerminals()
  const store = await openMemoryStore()
  const env = createLocalExecutionEnvironment(folder)
  const [page, main] = memoryWire()
  const contract = { terminals: terminalsApi } as const
  serve(
    main,
    contract,
    { terminals: terminalsHandlers({ store, terminals, ...NO_OWN_TERMINALS }) },
    { connection: 'bench', onBug: () => {} },
  )
  const { client } = { client: connect(page, contract) }
  const watching: Promise<void>[] = []
  const watch = async (): Promise<void> => {
    let watcher = ''
    for await (const item of client.terminals.attach(CALL, new AbortController().signal)) {
      if (item.kind === 'replay') watcher = item.watcher
      if (item.kind === 'data') void client.terminals.ack({ ...CALL, watcher, chars: item.data.length })
      if (item.kind === 'exit') return
    }
  }
  const onOpen = (terminal: RunningTerminal): void => {
    terminals.offer(CALL, terminal)
    if (isWatched) watching.push(watch())
  }
  const startedAt = performance.now()
  await env.execCommand('cat big.txt', { terminal: { ...SIZE, onOpen }, timeoutMs: 60_000 })
  await Promise.all(watching)
  const took = performance.now() - startedAt
  page.close()
  await env.cleanup()
  store.close()
  return took
}
