import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPathFacts } from '../../main/approval/path-facts.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import type { CommandEffect } from '../../shared/session/effects.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { type call, calls, say } from '../support/scripted-model.ts'
import { openOffice } from '../sessions/support/office.ts'
import { answerCall, type Rig, waiting } from './support/rig.ts'
import { edit, only, read, rigFor, shell, write } from './support/scripted-rig.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A rig whose model runs the commands in one round, in a folder with these files. */
async function rigWith(files: Readonly<Record<string, string>>, ...round: readonly ReturnType<typeof call>[]): Promise<Rig> {
  const { rig } = await rigFor([calls(...round), say('Done.')])
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(rig.folder, name, '..'), { recursive: true })
    await writeFile(join(rig.folder, name), text)
    await chmod(join(rig.folder, name), 0o755)
  }
  rig.session.submit('go')
  return rig
}

const reasons = (rig: Rig) => only(rig, 'APPROVAL_REQUESTED').map(({ reason }) => reason)

async function nextRequest(rig: Rig, count: number): Promise<CallItem | undefined> {
  const [next] = await rig.session.record.until(
    () => (reasons(rig).length === count ? waiting(rig.session) : null),
    new AbortController().signal,
  )
  return next
}

const PLAIN = 'No rule allows this command yet.'
const writes = (word: string) => `#!/bin/sh\necho ${word} > made\n`
const scripts = (word: string) => JSON.stringify({ scripts: { build: `echo ${word} > made` } })
const makes = (word: string) => `all:\n\t@echo ${word} > made\n`

test.for([
  { command: './build.sh', file: 'build.sh', text: writes },
  { command: 'sh build.sh', file: 'build.sh', text: writes },
  { command: 'sh < build.sh', file: 'build.sh', text: writes },
  { command: 'cat build.sh | sh', file: 'build.sh', text: writes },
  { command: '. ./build.sh', file: 'build.sh', text: writes },
  { command: 'cd sub && env A=1 timeout 20 ../build.sh && mv made ..', file: 'build.sh', text: writes, others: { 'sub/a': '' } },
  { command: 'make', file: 'Makefile', text: makes },
  { command: 'make -C sub && mv sub/made .', file: 'sub/Makefile', text: makes },
  { command: 'make -fother.mk', file: 'other.mk', text: makes },
  { command: 'npm run build', file: 'package.json', text: scripts },
  { command: 'cd sub && npm run build', file: 'package.json', text: scripts, others: { 'sub/a': '' } },
])('a signature for `$command` does not count once the user has changed $file', async ({ command, file, text, others = {} }) => {
  const rig = await rigWith({ [file]: text('old'), ...others }, shell(command))
  const [first] = await waiting(rig.session)
  await writeFile(join(rig.folder, file), text('new'))
  answerCall(rig.session, first)
  const second = await nextRequest(rig, 2)
  expect(await readFile(join(rig.folder, 'made'), 'utf8').catch(() => null)).toBe(null)
  answerCall(rig.session, second)
  await rig.session.idle()
  expect(reasons(rig)).toEqual([expect.stringContaining(PLAIN), expect.stringContaining(`Signed before, but ${file} has changed since.`)])
  expect(await readFile(join(rig.folder, 'made'), 'utf8')).toBe('new\n')
})

test.for([
  ['uv run a.py', ['a.py']],
  ['poetry run python a.py', ['a.py']],
  ['cat a.py | python3 -', ['a.py']],
  ['cat a.py', []],
] as const)('the files that `%s` executes are %j', async ([command, executed]) => {
  const root = temporaryFolder('executed')
  await writeFile(join(root, 'a.py'), '')
  const env = createLocalExecutionEnvironment(root)
  const policy = createPolicy({ root, home: null, disk: { env, place: createPathFacts({ env, root, home: root }) } })
  const effect: CommandEffect = { kind: 'command', command, cwd: root, outside: false, env: {}, timeoutMs: 1, destructive: false }
  const [found] = await policy.withExecutedFiles([effect], { read: (path, options) => env.readBytes(path, options) })
  expect(found?.kind === 'command' && found.executes?.map(({ shown }) => shown)).toEqual(executed.length > 0 ? executed : undefined)
})

test('a new file that `make` reads instead of the Makefile is noticed, even if it did not exist when approval was requested', async () => {
  const rig = await rigWith({ Makefile: makes('old') }, shell('make'))
  const [first] = await waiting(rig.session)
  await writeFile(join(rig.folder, 'GNUmakefile'), makes('new'))
  answerCall(rig.session, first)
  await nextRequest(rig, 2)
  expect(reasons(rig)[1]).toBe(`Signed before, but GNUmakefile has changed since. ${PLAIN}`)
})

test('a signature does not count after a link to a script has appeared, or the modification time of a large script has changed', async () => {
  const large = `${writes('old')}${'#'.repeat(5 * 1024 * 1024)}`
  const rig = await rigWith({ a: writes('old'), b: writes('new'), large }, shell('./link; ./large'))
  const [first] = await waiting(rig.session)
  await symlink('b', join(rig.folder, 'link'))
  answerCall(rig.session, first)
  const second = await nextRequest(rig, 2)
  await writeFile(join(rig.folder, 'large'), large)
  answerCall(rig.session, second)
  await nextRequest(rig, 3)
  expect(reasons(rig).slice(1)).toEqual([
    `Signed before, but b has changed since. ${PLAIN}`,
    `Signed before, but large has changed since. ${PLAIN}`,
  ])
})

test('a request whose files are unchanged, or written by an earlier step of its round, is not shown again', async () => {
  const rig = await rigWith(
    { 'build.sh': writes('old'), 'data.txt': '1' },
    read('build.sh'),
    edit('build.sh', 'old', 'new'),
    shell('./build.sh'),
  )
  const [first, second] = await waiting(rig.session, 2)
  await writeFile(join(rig.folder, 'data.txt'), '2')
  answerCall(rig.session, second)
  answerCall(rig.session, first)
  await rig.session.idle()
  expect(reasons(rig)).toHaveLength(2)
  expect(await readFile(join(rig.folder, 'made'), 'utf8')).toBe('new\n')
})

test.for([
  { scripts: ['build.sh'], changed: 'build.sh has changed since. Step 1 of the session “Write it” changed build.sh.' },
  {
    scripts: ['a.sh', 'b.sh', 'c.sh', 'd.sh'],
    changed:
      'a.sh, b.sh, c.sh and 1 more have changed since. Step 1 of the session “Write it” changed a.sh. ' +
      'Step 2 of the session “Write it” changed b.sh. Step 3 of the session “Write it” changed c.sh.',
  },
])('the new request names the steps of another session that changed scripts: $changed', async ({ scripts: names, changed }) => {
  const office = await openOffice(({ body }) => {
    const last = JSON.stringify(body.messages.at(-1))
    if (last.includes('Build it')) return calls(shell(names.map((name) => `sh ${name}`).join('; ')))
    if (last.includes('Write it')) return calls(...names.map((name) => write(name, writes('new'))))
    return say('Done.')
  })
  const first = await office.create('ask')
  const second = await office.create('auto')
  const tell = (session: typeof first, text: string) => session.send({ inputId: `in_${text}`, text, delivery: 'queue' })
  for (const name of names) await writeFile(join(office.folder, name), '')
  await tell(first, 'Build it')
  const request = (count: number) =>
    first.record.until(() => {
      const asked = [...office.store.log(first.sessionId).read()].filter(({ event }) => event.kind === 'APPROVAL_REQUESTED')
      const waits = first.record.state().items.find((item) => item.kind === 'call' && item.status === 'waiting')
      return asked.length === count && waits?.kind === 'call' ? waits.approval : null
    }, AbortSignal.timeout(60_000))
  const { approvalId, hash } = await request(1)
  await tell(second, 'Write it')
  await second.record.until(() => (second.record.state().ended === 'completed' ? true : null), AbortSignal.timeout(60_000))
  await first.answer({ approvalId, hash, answer: { kind: 'sign' }, from: 'terminal' })
  const { reason } = await request(2)
  expect(reason).toBe(`Signed before, but ${changed} ${PLAIN}`)
})
