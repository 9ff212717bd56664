import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerCall, waiting } from '../agent/support/rig.ts'
import { only, rigFor, said, shell, write } from '../agent/support/scripted-rig.ts'
import { openFamily } from '../subagents/support/family.ts'
import { call, calls, message, say } from '../support/scripted-model.ts'
import { hook } from './support/hook.ts'

const STOP = `cat > /dev/null; echo '{"continue":false,"stopReason":"enough"}'`

test('a hook’s `continue: false` still counts after a restart: the interrupted turn ends without running the remaining calls', async () => {
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

test('a hook’s `continue: false` still counts after a restart while an earlier call waits: only that call can be signed', async () => {
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

test('context from a Stop hook makes the agent continue, and `continue: false` ends the turn even if the hook also blocks', async () => {
  const once = (json: object): string => `[ -e once ] && exit 0; touch once; cat > /dev/null; echo '${JSON.stringify(json)}'`
  const more = { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'look again' } }
  const { rig, provider } = await rigFor([say('One.'), say('Two.')], { mode: 'full', hooks: [hook('Stop', once(more))] })
  rig.session.submit('go')
  await rig.session.idle()
  expect(said({ provider }, 1)?.at(-1)).toEqual(['steering', 'A hook asked the agent to continue: look again'])
  const ending = await rigFor([say('One.'), say('Never.')], {
    mode: 'full',
    hooks: [hook('Stop', once({ decision: 'block', reason: 'run the tests', continue: false }))],
  })
  ending.rig.session.submit('go')
  await ending.rig.session.idle()
  expect(ending.provider.requests).toHaveLength(1)
})

test('a SubagentStop hook that blocks makes the subagent continue with the reason', async () => {
  const once = '[ -e once ] && exit 0; touch once; echo say which files >&2; exit 2'
  const family = await openFamily(
    ({ who, round }) => {
      if (who !== 'PARENT') return round === 0 ? say('Looked.') : say('Looked at a.txt.')
      return round === 0 ? message([call('task', { agent_type: 'explore', prompt: 'CHILD-A: look' })]) : say('Done.')
    },
    {
      sandbox: 'off',
      prepare: ({ folder }) => {
        mkdirSync(join(folder, '.claude'))
        const hooks = { SubagentStop: [{ hooks: [{ type: 'command', command: once }] }] }
        writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify({ hooks }))
      },
    },
  )
  await family.ask()
  const bodies = family.model.requests.map(({ body }) => JSON.stringify(body))
  expect(bodies.filter((body) => body.includes('A hook asked the agent to continue: say which files'))).toHaveLength(1)
  expect(bodies.at(-1)).toContain('Looked at a.txt.')
})
