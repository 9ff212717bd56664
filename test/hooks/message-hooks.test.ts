import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { heard, only, rigFor, said, shell } from '../agent/support/scripted-rig.ts'
import { calls, gate, say } from '../support/scripted-model.ts'
import { hook } from './support/hook.ts'

test('a blocked message is never in a request', async () => {
  const { rig, provider } = await rigFor([say('Fine.')], {
    mode: 'full',
    hooks: [hook('UserPromptSubmit', 'grep -q secret && { echo has a key >&2; exit 2; }; exit 0')],
  })
  rig.session.submit('my secret is 123')
  await rig.session.idle()
  expect(provider.requests).toHaveLength(0)
  expect(rig.replay().items.find((item) => item.kind === 'notice' && item.trouble.code === 'message_blocked')).toBeDefined()
  rig.session.submit('hello')
  await rig.session.idle()
  expect(said({ provider }, 0)).toEqual([['user', 'hello']])
})

test('hooks also run for a message to the running turn, and a blocked message never reaches the model', async () => {
  const guard = hook('UserPromptSubmit', 'grep -q secret && { echo has a key >&2; exit 2; }; echo checked')
  const { rig, provider } = await rigFor([calls(shell('while [ ! -e go ]; do sleep 0.02; done')), say('Done.')], {
    mode: 'full',
    hooks: [guard],
  })
  rig.session.submit('go')
  await heard(rig.session, 'TOOL_EXECUTION_START')
  rig.session.send({ inputId: 'in1', text: 'my secret is 123', delivery: 'steer' })
  rig.session.send({ inputId: 'in2', text: 'hurry', delivery: 'steer' })
  writeFileSync(join(rig.folder, 'go'), '')
  await rig.session.idle()
  expect(said({ provider }, 1)?.slice(-2)).toEqual([
    ['steering', 'Context from hooks:\nchecked'],
    ['steering', 'hurry'],
  ])
  expect(JSON.stringify(provider.requests)).not.toContain('secret is')
  expect(only(rig, 'WARNING')).toMatchObject([{ trouble: { code: 'message_blocked', what: 'A hook blocked your message: has a key' } }])
})

test('a message that arrives during a Stop hook and is then blocked does not keep the turn open', async () => {
  const slow = hook('Stop', 'while [ ! -e go ]; do sleep 0.02; done')
  const guard = hook('UserPromptSubmit', 'grep -q secret && exit 2; exit 0')
  const { rig, provider } = await rigFor([say('Done.')], { mode: 'full', hooks: [slow, guard] })
  rig.session.submit('go')
  await heard(rig.session, 'ASSISTANT_TURN')
  rig.session.send({ inputId: 'in1', text: 'my secret', delivery: 'steer' })
  writeFileSync(join(rig.folder, 'go'), '')
  await rig.session.idle()
  expect([provider.requests.length, rig.session.state().run]).toEqual([1, 'IDLE'])
})

test('a blocked message is in no summary, whether it is queued for the turn or arrives while the summary is being made', async () => {
  const guard = hook('UserPromptSubmit', 'grep -q secret && { echo has a key >&2; exit 2; }; exit 0')
  const held = [gate(), gate()]
  const asked = [gate(), gate()]
  const answers = [say('One.'), say('Two.'), say('Three.'), say('A summary.'), say('Four.')]
  const { rig, provider } = await rigFor(
    async (_, index) => {
      asked[index - 2]?.open()
      await held[index - 2]?.opened
      return answers[index] ?? say('More.')
    },
    { mode: 'full', hooks: [guard] },
  )
  for (const text of ['first', 'second']) {
    rig.session.submit(text)
    await rig.session.idle()
  }
  rig.session.submit('third')
  await asked[0]?.opened
  rig.session.send({ inputId: 'in1', text: 'my secret waits', delivery: 'queue' })
  rig.session.compact('')
  held[0]?.open()
  await rig.session.idle()
  expect(provider.requests).toHaveLength(3)
  rig.session.compact('')
  await asked[1]?.opened
  rig.session.send({ inputId: 'in2', text: 'my secret comes', delivery: 'steer' })
  held[1]?.open()
  await rig.session.idle()
  rig.session.submit('fourth')
  await rig.session.idle()
  expect([provider.requests.length, rig.session.state().compactions.length]).toEqual([5, 1])
  expect(JSON.stringify(provider.requests)).not.toContain('my secret')
})
