import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openAsking } from '../../main/places/asking.ts'

test.skipIf(process.platform === 'win32')('a question that was not answered leaves no process behind', async () => {
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
