import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, calls, say } from '../support/scripted-model.ts'
import { answerCall, type Rig, waiting } from './support/rig.ts'
import { only, rigFor, shell } from './support/scripted-rig.ts'

const bash = (command: string) => call('bash', { command })

async function rounds(...commands: readonly ReturnType<typeof call>[]): Promise<Rig> {
  const { rig } = await rigFor([calls(...commands), say('Done.')])
  await mkdir(join(rig.folder, 'src'))
  rig.session.submit('go')
  return rig
}

const asked = (rig: Rig) =>
  only(rig, 'APPROVAL_REQUESTED').map(({ effects, reason }) => [effects[0]?.kind === 'command' && effects[0].cwd, reason])

test('a request for a command in a persistent shell shows the folder where the command will run', async () => {
  const rig = await rounds(bash('cd src; touch went'), bash('pwd > told'))
  const [first] = await waiting(rig.session, 2)
  answerCall(rig.session, first)
  const src = join(rig.folder, 'src')
  const second = await rig.session.record.until(
    () =>
      rig.session.state().items.find((item) => item.kind === 'call' && item.status === 'waiting' && item.step === 2 && inSrc(item)) ?? null,
    new AbortController().signal,
  )
  expect(asked(rig)).toEqual([
    [rig.folder, 'No rule allows this command yet.'],
    [rig.folder, 'No rule allows this command yet.'],
    [src, `Asked again: it would now run in ${src}, not in ${rig.folder}. No rule allows this command yet.`],
  ])
  if (second.kind !== 'call') throw new Error('Nothing waits.')
  answerCall(rig.session, second)
  await rig.session.idle()
  expect(await readFile(join(src, 'told'), 'utf8')).toBe(`${src}\n`)
  expect(asked(rig)).toHaveLength(3)

  function inSrc(item: { readonly effects: readonly object[] }): boolean {
    return item.effects.some((effect) => 'cwd' in effect && effect.cwd === src)
  }
})

test('a signature does not count once the shell has changed its folder, and the new request names both folders', async () => {
  const rig = await rounds(bash('cd src; touch went'), bash('touch there'))
  const [first, second] = await waiting(rig.session, 2)
  answerCall(rig.session, second)
  answerCall(rig.session, first)
  const src = join(rig.folder, 'src')
  const [anew] = await rig.session.record.until(() => (asked(rig).length > 2 ? waiting(rig.session) : null), new AbortController().signal)
  expect(asked(rig)[2]).toEqual([
    src,
    `Signed before, but it would now run in ${src}, not in ${rig.folder}. No rule allows this command yet.`,
  ])
  answerCall(rig.session, anew)
  await rig.session.idle()
  expect(only(rig, 'TOOL_CALL_END').map(({ outcome }) => outcome)).toEqual(['done', 'done'])
})

test('a waiting request is not shown again if an earlier command has run without changing it', async () => {
  const rig = await rounds(shell('touch src/a'), bash('touch b'), shell('touch c'))
  for (const one of await waiting(rig.session, 3)) answerCall(rig.session, one)
  await rig.session.idle()
  expect(only(rig, 'APPROVAL_REQUESTED')).toHaveLength(3)
})
