import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerCall, waiting } from '../agent/support/rig.ts'
import { only, rigFor, shell, write } from '../agent/support/scripted-rig.ts'
import { calls, say } from '../support/scripted-model.ts'
import { hook } from './support/hook.ts'

const STOP = `cat > /dev/null; echo '{"continue":false,"stopReason":"enough"}'`

test('continue false still counts after a restart: the interrupted turn ends without running the later calls', async () => {
  const once = `[ -e once ] && exit 0; touch once; ${STOP}`
  const { rig, provider } = await rigFor(
    [calls(shell('touch began; sleep 60'), write('b.txt', 'x'), shell('touch c.txt')), say('Never.')],
    {
      mode: 'full',
      hooks: [hook('PreToolUse', once, 'Write')],
    },
  )
  rig.session.submit('go')
  await expect.poll(() => existsSync(join(rig.folder, 'began'))).toBe(true)
  await rig.session.suspend()
  const next = await rig.takeOver()
  expect(next.state().ended).toBe('interrupted')
  next.resume()
  await next.idle()
  expect([existsSync(join(rig.folder, 'b.txt')), existsSync(join(rig.folder, 'c.txt')), provider.requests.length]).toEqual([
    false,
    false,
    1,
  ])
  expect(only(rig, 'ERROR')).toMatchObject([{ error: { what: 'A hook ended the turn: enough' } }])
})

test('continue false still counts after a restart while an earlier call waits: only that call can be signed', async () => {
  const stopping = hook('PreToolUse', STOP, 'Write')
  const { rig, provider } = await rigFor([calls(shell('touch a.txt'), write('b.txt', 'x'), shell('touch c.txt')), say('Never.')], {
    mode: 'ask',
    hooks: [stopping],
  })
  rig.session.submit('go')
  await waiting(rig.session)
  await rig.session.suspend()
  const next = await rig.takeOver()
  const asked = await waiting(next)
  expect(asked).toHaveLength(1)
  answerCall(next, asked[0])
  await next.idle()
  expect(['a.txt', 'b.txt', 'c.txt'].map((name) => existsSync(join(rig.folder, name)))).toEqual([true, false, false])
  expect(provider.requests).toHaveLength(1)
})
