import { expect, it } from 'vitest'
import type { RunningTerminal } from '../../main/agent/ports/execution-environment.ts'
import { createTerminals, type Terminals } from '../../main/terminals/terminals.ts'
import type { TerminalItem } from '../../shared/api/terminals.ts'
import { drawn } from '../environment/drawn.ts'
import { CALL, SIZE, key, start } from './running-command.ts'

/** Returns a signal that is never aborted. */
const staying = (): AbortSignal => new AbortController().signal

/** Reads items until `until` returns true (then detaches), or to the end. */
async function watch(
  terminals: Terminals,
  until: (items: readonly TerminalItem[]) => boolean = () => false,
  call = CALL,
): Promise<readonly TerminalItem[]> {
  const items: TerminalItem[] = []
  for await (const item of terminals.attach(call, staying())) {
    items.push(item)
    if (until(items)) break
  }
  return items
}

const shown = (items: readonly TerminalItem[]): string => items.map((item) => ('data' in item ? item.data : '')).join('')

it('a watcher gets the replay first, then the output, then the exit', async () => {
  const terminals = createTerminals()
  const { result } = await start(terminals, 'echo hello; exit 7')
  const items = await watch(terminals)
  expect(items[0]).toMatchObject({ kind: 'replay', ...SIZE, watcher: expect.any(String) })
  expect([items.at(-1), shown(items)]).toEqual([{ kind: 'exit', exitCode: 7 }, 'hello\r\n'])
  expect((await result).exitCode).toBe(7)
})

it('typed input reaches a running program, and is dropped after the program exits', async () => {
  const terminals = createTerminals()
  const { result } = await start(terminals, 'printf "name? "; read name; echo "hello $name"')
  await watch(terminals, (items) => shown(items).includes('name? '))
  expect(terminals.write(CALL, 'Ada\r')).toBe(true)
  expect((await result).stdout).toBe('name? Ada\nhello Ada\n')
  expect([terminals.write(CALL, 'late'), terminals.write(key('other'), 'nobody')]).toEqual([false, false])
})

it('a resize reaches the program and the next replay', async () => {
  const terminals = createTerminals()
  const { result } = await start(terminals, 'trap "stty size; exit" WINCH; echo ready; while :; do sleep 0.02; done')
  await watch(terminals, (items) => shown(items).includes('ready'))
  terminals.resize(CALL, 100, 30)
  expect((await result).stdout).toBe('ready\n30 100\n')
  expect((await watch(terminals))[0]).toMatchObject({ kind: 'replay', columns: 100, rows: 30 })
})

it('every viewer sees the same screen, whenever it joined', async () => {
  const terminals = createTerminals()
  const { result } = await start(terminals, 'for i in $(seq 300); do echo "line $i"; sleep 0.002; done')
  const first = watch(terminals)
  await watch(terminals, (items) => shown(items).includes('line 100\r\n'))
  const second = watch(terminals)
  await result
  const screens = await Promise.all([first, second, watch(terminals)].map(async (items) => drawn({ ...SIZE, data: shown(await items) })))
  expect(screens[0]?.rows.at(-2)).toBe('line 300')
  expect([screens[1], screens[2]]).toEqual([screens[0], screens[0]])
})

it('after a reload the screen of a full-screen program is the same', async () => {
  const terminals = createTerminals()
  const command = String.raw`printf '\033[?1049h\033[2J\033[5;20r'; for i in $(seq 3000); do printf '\033[3%dmrow %d\033[0m\r\n' $((i % 8)) $i; done; printf '\033[1;1Htop'; sleep 60`
  const { stop } = await start(terminals, command)
  const before = await watch(terminals, (items) => shown(items).endsWith('top'))
  const after = await watch(terminals, (items) => items.length === 1)
  stop()
  const [one, other] = await Promise.all([before, after].map((items) => drawn({ ...SIZE, data: shown(items) })))
  expect([other, other?.screen, other?.rows[0]?.startsWith('top')]).toEqual([one, 'alternate', true])
})

it('a command does not wait for a viewer that draws nothing, which gets the last screen once it has drawn what it has', async () => {
  const terminals = createTerminals()
  const { terminal, result } = await start(terminals, 'seq 1 400000')
  let produced = 0
  terminal.onData((data) => (produced += data.length))
  const reader = terminals.attach(CALL, staying())[Symbol.asyncIterator]()
  const first = (await reader.next()).value
  expect(await result).toMatchObject({ exitCode: 0 })
  let received = 0
  for (let isCut = false; !isCut;) {
    const { value } = await reader.next()
    if (value?.kind !== 'data') throw new Error(`${value?.kind} instead of data`)
    const data: string = value.data
    received += data.length
    isCut = data.endsWith('\u0018')
  }
  expect([received > 100_000, received < 200_000, produced > 2_000_000]).toEqual([true, true, true])

  const acknowledge = (chars: number): void => terminals.ack(CALL, first?.kind === 'replay' ? first.watcher : '', chars)
  acknowledge(received - 1)
  const next = reader.next()
  acknowledge(1)
  const last = (await next).value
  expect(last?.kind).toBe('replay')
  const { rows } = await drawn({ ...SIZE, data: last?.kind === 'replay' ? last.data : '' })
  expect(rows.slice(-3)).toEqual(['399999', '400000', ''])
  expect((await reader.next()).value).toEqual({ kind: 'exit', exitCode: 0 })
  expect((await reader.next()).done).toBe(true)
})

it('a viewer that fell behind follows the output again, and misses nothing after the screen it gets', async () => {
  const terminals = createTerminals()
  const { result, terminal } = await start(terminals, 'seq 1 100000; read; seq 1 50')
  const reader = terminals.attach(CALL, staying())[Symbol.asyncIterator]()
  const seen: string[] = []
  let text = ''
  let isAnswered = false
  for (let watcher = '', isOver = false; !isOver;) {
    const { value } = await reader.next()
    seen.push(value?.kind ?? 'nothing')
    isOver = value?.kind === 'exit'
    if (value?.kind === 'replay') {
      text = value.data
      watcher = value.watcher
    }
    if (value?.kind === 'data') {
      text += value.data
      terminals.ack(CALL, watcher, value.data.length)
    }
    if (isAnswered || !text.trimEnd().endsWith('100000')) continue
    isAnswered = true
    terminal.write('\r')
  }
  const { rows } = await drawn({ ...SIZE, data: text })
  expect([rows.slice(-2), (await result).exitCode]).toEqual([['50', ''], 0])
  expect(seen.at(-1)).toBe('exit')
})

/** Resolves when the command has printed this many more characters. */
function printed(terminal: RunningTerminal, chars: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = chars
  const listener = terminal.onData(({ length }) => {
    left -= length
    if (left > 0) return
    listener.dispose()
    resolve()
  })
  return promise
}

it('during a flood, a slow viewer gets only screens, and the scrollback when the output ends', async () => {
  const terminals = createTerminals()
  const { terminal, result, stop } = await start(terminals, 'yes')
  const screens: { readonly lines: number; readonly watcher: string }[] = []
  let undrawn = ''
  for await (const item of terminals.attach(CALL, staying())) {
    if (item.kind === 'replay') screens.push({ lines: item.data.split('\r\n').length, watcher: item.watcher })
    if (item.kind !== 'data') continue
    undrawn += item.data
    if (!undrawn.endsWith('\u0018')) continue
    if (screens.length > 1 && screens.length <= 4) expect(undrawn).toBe('\u0018')
    if (screens.length < 4) await printed(terminal, 64 * 1024)
    else stop()
    terminals.ack(CALL, screens[0]?.watcher ?? '', undrawn.length)
    undrawn = ''
  }
  await result
  expect(screens.slice(1, 4).map(({ lines }) => lines)).toEqual([1, 1, 1].map(() => SIZE.rows + 1))
  expect(screens.at(-1)?.lines).toBeGreaterThan(1_000)
})

it('the output of `yes` uses bounded memory with a slow viewer, and runs at full speed once the viewer leaves', async () => {
  const terminals = createTerminals()
  const { terminal, result, stop } = await start(terminals, 'yes')
  let produced = 0
  const wentOn = Promise.withResolvers<void>()
  terminal.onData((data) => {
    produced += data.length
    if (produced > 4_000_000) wentOn.resolve()
  })
  const before = process.memoryUsage().rss
  await watch(terminals, (items) => shown(items).length > 50_000)
  await wentOn.promise
  const after = await watch(terminals, (items) => items.length === 1)
  stop()
  const { rows } = await drawn({ ...SIZE, data: shown(after) })
  expect(rows.slice(0, 23)).toEqual(Array.from({ length: 23 }, () => 'y'))
  expect([(await result).aborted, shown(after).length <= 256 * 1024, process.memoryUsage().rss - before < 150 * 1024 ** 2]).toEqual([
    true,
    true,
    true,
  ])
})

it('a command does not wait for a viewer that has left', async () => {
  const terminals = createTerminals()
  const { result } = await start(terminals, 'seq 1 200000')
  await watch(terminals, (items) => shown(items).length > 10_000)
  expect(await result).toMatchObject({ exitCode: 0, timedOut: false })
})

it('only the 20 terminals that ended last can still be viewed', async () => {
  const terminals = createTerminals()
  for (let call = 0; call < 21; call++) await (await start(terminals, `echo ${call}`, key(`${call}`))).result
  expect(await watch(terminals, undefined, key('0'))).toEqual([{ kind: 'none' }])
  expect(await watch(terminals, undefined, key('unknown'))).toEqual([{ kind: 'none' }])
  for (const call of [1, 20]) {
    const items = await watch(terminals, undefined, key(`${call}`))
    expect([items.map(({ kind }) => kind), (await drawn({ ...SIZE, data: shown(items) })).rows[0]]).toEqual([['replay', 'exit'], `${call}`])
  }
})

it('an acknowledgement of too much, or for a viewer that has left, is ignored', async () => {
  const terminals = createTerminals()
  const { result } = await start(terminals, 'echo done')
  terminals.ack(CALL, 'nobody', 5)
  terminals.ack(key('unknown'), 'nobody', 5)
  const items = await watch(terminals)
  const [replay] = items
  if (replay?.kind === 'replay') terminals.ack(CALL, replay.watcher, 1e9)
  expect([(await result).exitCode, shown(items)]).toEqual([0, 'done\r\n'])
})
