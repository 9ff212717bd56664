import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { createKeptTerminals } from '../../main/store/kept-terminals.ts'
import { type PersonTerminals, createPersonTerminals } from '../../main/terminals/person-terminals.ts'
import type { TerminalKey } from '../../main/terminals/terminals.ts'
import { SessionId } from '../../shared/lib/ids.ts'

const SESSION = SessionId.parse('s_own')

test.skipIf(process.platform === 'win32')('a terminal is there again after a restart, with what it showed and a new shell', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-kept-'))
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })
  vi.stubEnv('SHELL', '/bin/sh')
  const place = () => {
    const environment = createLocalExecutionEnvironment(folder)
    return { environment, close: () => environment.cleanup() }
  }
  const start = (isSession = true): PersonTerminals => {
    const openPlace = async () => ({ ok: true, value: place() }) as const
    const own = createPersonTerminals({ kept: createKeptTerminals(folder), isSession: () => isSession, openPlace })
    onTestFinished(() => own.close())
    return own
  }
  const shows = async (own: PersonTerminals, key: TerminalKey, mark: string): Promise<string> => {
    let shown = ''
    for await (const item of own.attach(key, new AbortController().signal)) {
      if (item.kind === 'replay' || item.kind === 'data') shown += item.data
      if (shown.includes(mark)) break
    }
    return shown
  }
  const first = start()
  const opened = await first.open(SESSION, place(), 'echo "[$((40 + 2))]"\n')
  if (!opened.ok) throw new Error(opened.failure.what)
  const key = { sessionId: SESSION, toolCallId: opened.value }
  first.rename(key, 'checks')
  await shows(first, key, '[42]')
  await first.close()

  const second = start()
  expect(second.status()).toMatchObject([{ ...key, name: 'checks', runs: false }])
  expect(await shows(second, key, 'Restored with a new shell')).toContain('[42]')
  expect(second.status()).toMatchObject([{ runs: true }])
  second.write(key, 'echo "[$((50 + 1))]"\n')
  await shows(second, key, '[51]')
  await second.close()

  const third = start()
  expect(await shows(third, key, '[51]')).toContain('[42]')
  third.end(key)
  await expect.poll(() => third.status()).toEqual([])
  await third.close()
  expect(start().status()).toEqual([])
})
