import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openAsking } from '../../main/places/asking.ts'

test.skipIf(process.platform === 'win32')('an unanswered question leaves no process behind', async () => {
  const heard = Promise.withResolvers<string>()
  const asking = await openAsking((question) => {
    heard.resolve(question)
    return Promise.resolve(null)
  })
  const script = spawn(asking?.variables['SSH_ASKPASS'] ?? '', ['Password:'])
  const ended = once(script, 'close')
  expect(await heard.promise).toBe('Password:')
  await asking?.close()
  await ended
})

test.skipIf(process.platform === 'win32')('a question whose process was killed does not hold up the next one', async () => {
  const heard = Promise.withResolvers<void>()
  const killed = Promise.withResolvers<void>()
  const asking = await openAsking(async (question) => {
    heard.resolve()
    await killed.promise
    return `answer to ${question}`
  })
  onTestFinished(() => asking?.close())
  const ask = (question: string) => spawn(asking?.variables['SSH_ASKPASS'] ?? '', [question], { detached: true })
  const first = ask('First:')
  await heard.promise
  const ended = once(first, 'close')
  // The whole process group, because the script's own child reads the answer.
  process.kill(-(first.pid ?? 0), 'SIGKILL')
  await ended
  killed.resolve()
  expect(await text(ask('Second:').stdout)).toBe('answer to Second:\n')
})
