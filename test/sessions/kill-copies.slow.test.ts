import { existsSync, globSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say, startScriptedModel } from '../support/scripted-model.ts'
import { startSession } from './support/child.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Creates a session whose model runs one command, in a folder with `count.txt`. */
async function placeFor(command: string, mode = 'ask', isBackground = false) {
  const base = temporaryFolder('kill')
  const folder = join(base, 'workspace')
  await mkdir(folder)
  await writeFile(join(folder, 'count.txt'), '')
  const model = await startScriptedModel(({ body }) =>
    body.messages.some(({ role }) => role === 'assistant')
      ? say('Done.')
      : calls(call('shell', { command, ...(isBackground && { run_in_background: true }) })),
  )
  onTestFinished(() => model.close())
  const options = { data: join(base, 'data'), folder, modelUrl: model.url, mode, inCopies: true }
  return { folder, options, model, count: () => readFile(join(folder, 'count.txt'), 'utf8') }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await later(20)
}

// These tests need bubblewrap. `hasNoCopies` prints the reason for the skip.
describe.skipIf(hasNoCopies)('kill -9 and a command in its copy', { timeout: 60_000 }, () => {
  test('while the command runs: the folder is unchanged, and the command runs again in a new copy', async () => {
    const { options, folder, count } = await placeFor('echo ran >> count.txt; [ -e again ] && exit; sleep 30; echo late >> count.txt')
    const first = await startSession(options)
    first.tell({ kind: 'send', text: 'Begin' })
    await until(() => globSync(join(options.data, 'copies/**/up/count.txt')).length > 0)
    await first.kill()
    await writeFile(join(folder, 'again'), '')
    const second = await startSession({ ...options, sessionId: first.sessionId })
    expect([second.ready.run, second.ready.ended, await count()]).toEqual(['IDLE', 'interrupted', ''])
    expect(globSync(join(options.data, 'copies/*'))).toEqual([])
    second.tell({ kind: 'resume' })
    await second.event('APPROVAL_REQUESTED')
    expect(await count()).toBe('')
    second.tell({ kind: 'sign' })
    await second.event('PROCESSING_END')
    expect(await count()).toBe('ran\n')
    await second.quit()
  })

  test('while it runs confined: the next launch moves away the control files that it wrote, and the session records this', async () => {
    // The first process may move the file away before it is killed, so the command makes it again.
    const make = 'while sleep 0.02; do for f in .mcp.json plain; do [ -e $f ] || echo evil > $f; done; done'
    const { options, folder } = await placeFor(make, 'auto', true)
    const first = await startSession(options)
    first.tell({ kind: 'send', text: 'Begin' })
    await until(() => existsSync(join(folder, 'plain')))
    await first.kill()
    const second = await startSession({ ...options, sessionId: first.sessionId })
    expect(await readdir(folder)).toEqual(['count.txt', 'plain'])
    const warned = second.ready.warnings.find(({ what }) =>
      what.includes('before Countersign was killed while a confined program was running'),
    )
    expect(warned).toMatchObject({ code: 'control_files_moved', what: expect.stringContaining(': .mcp.json.') })
    const keptAt = /They are kept: (.*)\.$/u.exec(warned?.kept ?? '')?.[1] ?? ''
    expect(await readFile(keptAt, 'utf8')).toBe('evil\n')
    await second.quit()
  })

  test('while its changes wait for a signature: they can be signed after the restart and are applied once', async () => {
    const { options, count, model } = await placeFor('echo ran >> count.txt; echo printed')
    const first = await startSession(options)
    first.tell({ kind: 'send', text: 'Begin' })
    await first.event('APPROVAL_REQUESTED')
    await first.kill()
    const second = await startSession({ ...options, sessionId: first.sessionId })
    expect([second.ready.run, await count()]).toEqual(['AWAITING_INPUT', ''])
    second.tell({ kind: 'sign' })
    expect((await second.said('answer')).outcome).toEqual({ kind: 'accepted' })
    await second.event('PROCESSING_END')
    second.tell({ kind: 'sign' })
    expect((await second.said('answer')).outcome).toBe('nothing waits')
    expect(second.events.map(({ kind }) => kind)).not.toContain('COPY_STARTED')
    expect(JSON.stringify(model.requests.at(-1)?.body.messages.at(-1))).toContain('printed')
    expect(await count()).toBe('ran\n')
    await second.quit()
  })

  test.each([0, 5, 15, 40, 100])('killed %i ms after applying starts: all of its changes are in the folder, or none', async (wait) => {
    const { options, folder, count } = await placeFor('mkdir new; for i in {1..400}; do echo $i > new/$i; done; echo ran >> count.txt')
    const first = await startSession(options)
    first.tell({ kind: 'send', text: 'Begin' })
    await first.event('APPROVAL_REQUESTED')
    first.tell({ kind: 'sign' })
    await first.event('TOOL_EXECUTION_START')
    await later(wait)
    await first.kill()
    const second = await startSession({ ...options, sessionId: first.sessionId })
    const files = existsSync(join(folder, 'new')) ? (await readdir(join(folder, 'new'))).length : 0
    expect([`0 files, `, `400 files, ran\n`]).toContain(`${files} files, ${await count()}`)
    if (second.ready.ended !== 'completed') second.tell({ kind: 'resume' })
    if (second.ready.ended !== 'completed') await second.event('PROCESSING_END')
    expect([(await readdir(folder)).length > 1 ? 400 : 0, await count()]).toEqual([files, files === 0 ? '' : 'ran\n'])
    await second.quit()
  })
})
