import { expect, it, onTestFinished } from 'vitest'
import { terminalsHandlers } from '../../main/api/terminals.ts'
import { openMemoryStore } from '../../main/store/open-store.ts'
import { createTerminals, type Terminals } from '../../main/terminals/terminals.ts'
import { type TerminalItem, terminalsApi } from '../../shared/api/terminals.ts'
import { connect } from '../../shared/wire/connect.ts'
import type { Client } from '../../shared/wire/contract.ts'
import { memoryWire } from '../support/memory-wire.ts'
import { NO_OWN_TERMINALS } from '../support/no-own-terminals.ts'
import { serve } from '../../shared/wire/serve.ts'
import { CALL, start } from './running-command.ts'

const contract = { terminals: terminalsApi } as const

interface Page {
  readonly client: Client<typeof contract>
  readonly close: () => void
}

/** Opens windows, each with its own connection, as a shell serves them. */
async function windowsOf(terminals: Terminals): Promise<() => Page> {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  const handlers = { terminals: terminalsHandlers({ store, terminals, ...NO_OWN_TERMINALS }) }
  return () => {
    const [page, main] = memoryWire()
    serve(main, contract, handlers, {
      connection: 'window',
      onBug: (error) => {
        throw error
      },
    })
    return { client: connect(page, contract), close: () => page.close('the window is gone') }
  }
}

/** Reads and acknowledges output until this many screens have arrived. Returns the number of characters. */
async function draw({ client }: Page, screens: number): Promise<number> {
  const abort = new AbortController()
  let left = screens
  let watcher = ''
  let drawn = 0
  for await (const item of client.terminals.attach(CALL, abort.signal)) {
    if (item.kind === 'replay') {
      watcher = item.watcher
      left -= 1
      if (left === 0) break
    }
    if (item.kind !== 'data') continue
    drawn += item.data.length
    await client.terminals.ack({ ...CALL, watcher, chars: item.data.length })
  }
  return drawn
}

it.each(['closes', 'stops listening'] as const)(
  'a window that draws nothing and then %s does not hold back another window’s output',
  async (how) => {
    const terminals = createTerminals()
    const { stop, result } = await start(terminals, 'yes')
    const open = await windowsOf(terminals)
    const first = open()
    const abort = new AbortController()
    const reader: AsyncIterator<TerminalItem, undefined> = first.client.terminals.attach(CALL, abort.signal)[Symbol.asyncIterator]()
    expect((await reader.next()).value).toMatchObject({ kind: 'replay' })
    for (let isCut = false; !isCut;) {
      const { value } = await reader.next()
      isCut = value?.kind === 'data' && value.data.endsWith('\u0018')
    }

    if (how === 'closes') first.close()
    else abort.abort()
    expect(await draw(open(), 4)).toBeGreaterThan(100_000)
    stop()
    // Held output would have stopped at some hundred kilobytes.
    expect(await result).toMatchObject({ aborted: true, bytes: expect.toSatisfy((bytes: number) => bytes > 1_000_000) })
  },
)
