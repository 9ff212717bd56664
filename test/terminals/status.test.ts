import { expect, it } from 'vitest'
import { createTerminals, type Terminals } from '../../main/terminals/terminals.ts'
import type { TerminalStatus } from '../../shared/api/terminals.ts'
import { CALL, key, start } from './running-command.ts'

/** Resolves when the status of the commands is as expected. */
function until(terminals: Terminals, holds: (status: readonly TerminalStatus[]) => boolean): Promise<void> {
  if (holds(terminals.status())) return Promise.resolve()
  return new Promise((resolve) => {
    const listening = terminals.onStatus(() => {
      if (!holds(terminals.status())) return
      listening.dispose()
      resolve()
    })
  })
}

it('issue 3: a command is shown as waiting for input, then as running, then with its exit code', async () => {
  const terminals = createTerminals()
  const { result } = await start(terminals, 'read name; echo "hello $name"; exit 3')
  const running = { ...CALL, runs: true, waitsForInput: false, canEnd: false, exitCode: null, endedAt: null }
  expect(terminals.status()).toEqual([running])
  await until(terminals, ([one]) => one?.waitsForInput === true)
  expect(terminals.status()).toEqual([{ ...running, waitsForInput: true }])
  terminals.write(CALL, 'Ada\r')
  await until(terminals, ([one]) => one?.runs === false)
  expect(terminals.status()).toEqual([{ ...running, runs: false, exitCode: 3, endedAt: expect.any(Number) }])
  await result
})

it('only a command that outlives its call can be stopped separately', async () => {
  const terminals = createTerminals()
  const { terminal, result, stop } = await start(terminals, 'sleep 60')
  expect(terminals.end(CALL)).toBe(false)
  terminals.offer(key('beside'), { ...terminal, end: stop })
  expect(terminals.status().map(({ canEnd }) => canEnd)).toEqual([false, true])
  expect(terminals.end(key('beside'))).toBe(true)
  expect((await result).aborted).toBe(true)
  expect([terminals.end(key('beside')), terminals.end(key('nobody'))]).toEqual([false, false])
})
