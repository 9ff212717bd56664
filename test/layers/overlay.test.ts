import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openPlace } from '../../main/compose/session-places/session-place.ts'
import { hasNoCopies, processesWith } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Asked, type Family, openFamily } from '../subagents/support/family.ts'
import { killInLayer } from './sequences/kill-in-layer.ts'

const files = ({ folder }: { readonly folder: string }): void => {
  writeFileSync(join(folder, 'a.txt'), 'a\n')
  writeFileSync(join(folder, 'b.txt'), 'b\n')
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  mkdirSync(join(folder, 'node_modules', 'pack'), { recursive: true })
  writeFileSync(join(folder, 'node_modules', 'pack', 'index.js'), 'packed\n')
}

const run = (command: string, more: object = {}) => calls(call('shell', { command, ...more }))

const DONE = say('Done.')

/** A session beside the folder that makes one call after the other. */
const beside = (...rounds: readonly ReturnType<typeof say>[]): Promise<Family> =>
  openFamily(({ round }: Asked) => rounds[round] ?? say('Finished.'), {
    mode: 'ask',
    where: { kind: 'beside' },
    watched: true,
    prepare: files,
  })

const data = ({ folder }: Family): string => join(folder, '..', 'data')
const results = ({ model }: Family): readonly string[] =>
  model.requests.at(-1)?.body.messages.flatMap(({ role, content }) => (role === 'user' ? [JSON.stringify(content)] : [])) ?? []

/** The processes in the layer of a session. */
const inLayer = (sessionId: string): readonly string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && mountsOf(name).includes(`/${sessionId}/tmp /tmp `))

const mountsOf = (pid: string): string => ofProcess(pid, 'mountinfo')
const commandOf = (pid: string): string => ofProcess(pid, 'cmdline')

function ofProcess(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

async function answer(
  { parent }: Family,
  given: { readonly kind: 'sign' } | { readonly kind: 'refuse'; readonly note: null },
): Promise<void> {
  const { record } = parent
  const open = await record.until(
    () =>
      record
        .state()
        .items.flatMap((item) => (item.kind === 'call' && item.status === 'waiting' && item.approval ? [item.approval] : []))[0] ?? null,
    AbortSignal.timeout(30_000),
  )
  const { approvalId, hash } = open
  expect(await parent.answer({ approvalId, hash, answer: given, from: 'terminal' })).toMatchObject({ kind: 'accepted' })
}

describe.skipIf(hasNoCopies)('a session in an overlay beside the folder', { timeout: 60_000 }, () => {
  it('keeps only what it changed, and shares installed packages', async () => {
    const family = await beside(run('cat node_modules/pack/index.js; echo changed > a.txt'))
    await family.ask()
    expect(results(family).at(-1)).toContain('packed')
    const kept = globSync('subagents/**/{a.txt,b.txt,index.js}', { cwd: data(family) })
    expect(kept).toEqual([join('subagents', family.parent.sessionId, 'up', 'a.txt')])
    expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe('a\n')
  })

  it('has one view for edits, reads, searches and commands', async () => {
    const family = await beside(
      run('echo made by a command > made.txt'),
      calls(call('read_file', { path: 'made.txt' })),
      calls(call('edit_file', { path: 'made.txt', old_string: 'made', new_string: 'edited' })),
      run('cat made.txt; sed -i s/edited/again/ made.txt'),
      calls(call('grep', { pattern: 'again by' })),
    )
    await family.ask()
    const [, , read, , ran, found] = results(family)
    expect(read).toContain('made by a command')
    expect(ran).toContain('edited by a command')
    expect(found).toContain('made.txt')
    expect(existsSync(join(family.folder, 'made.txt'))).toBe(false)
  })

  it('records what each command changed, so that one step can be undone', async () => {
    const family = await beside(
      run('echo one > a.txt; mkdir new; echo n > new/n.txt; rm b.txt'),
      run('echo two > other.txt'),
      DONE,
      run('cat a.txt b.txt other.txt; ls'),
    )
    await family.ask()
    const { parent } = family
    const changed = parent.snapshot(99).items.flatMap((item) => (item.kind === 'call' ? [item.files.map(({ shown }) => shown)] : []))
    expect(changed).toEqual([['a.txt', 'b.txt', 'new/n.txt'], ['other.txt']])
    const target = { kind: 'step', step: 1 } as const
    const preview = await parent.previewUndo(target)
    if (!preview.ok) throw new Error(preview.failure.what)
    const { plan } = preview.value
    expect(await parent.undo({ target, plan, anyway: [], choices: [] })).toMatchObject({ kind: 'done' })
    await family.ask('Look')
    expect(results(family).at(-1)).toMatch(/a\\nb\\ntwo/u)
    expect(results(family).at(-1)).not.toContain('new')
  })

  it('asks nothing about what stays inside', async () => {
    const family = await beside(run('rm -r node_modules; echo x > package.json; git init -q .; echo run > Makefile'))
    await family.ask()
    expect(family.parent.snapshot(99).items.flatMap((item) => (item.kind === 'call' ? [item.status, item.approval] : []))).toEqual([
      'done',
      null,
    ])
  })

  it('runs commands in plan mode over what is in the layer, and drops what they change', async () => {
    const family = await beside(
      run('echo layer > a.txt; rm b.txt; rm -r node_modules; mkdir node_modules; echo own > node_modules/own'),
      DONE,
      run('echo plan >> a.txt; cat a.txt; ls; ls node_modules; touch node_modules/planned'),
      run('cat a.txt; ls -a node_modules'),
      run('sleep 100', { run_in_background: true }),
    )
    await family.ask()
    await family.parent.configure({ mode: 'plan' })
    await family.ask('Plan')
    const [planned, read, background] = results(family).slice(-3)
    expect(planned).toMatch(/layer\\nplan\\na\.txt +node_modules\\nown\\n/u)
    expect(planned).toContain('The command would have changed a.txt')
    expect(read).toMatch(/"layer\\n\. +\.\. +own\\n/u)
    expect(background).toContain('Blocked in plan mode')
    expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe('a\n')
  })

  it('can be opened again while it is being closed', async () => {
    const family = await beside(run('true'))
    await family.ask()
    await family.parent.close('suspend')
    const { app, folder, parent } = family
    const opened = await app.workspaces.openLayer(folder, parent.sessionId)
    if (!opened.ok) throw new Error(opened.failure.what)
    await opened.value.environment.execCommand('true')
    const closing = opened.value.close()
    const again = await app.workspaces.openLayer(folder, parent.sessionId)
    if (!again.ok) throw new Error(again.failure.what)
    expect(await again.value.environment.execCommand('echo again')).toMatchObject({ stdout: 'again\n' })
    await closing
    await again.value.close()
  })

  it('ends everything that runs in the layer when the app is closed', async () => {
    const family = await beside(run('sleep 4831', { run_in_background: true }))
    await family.ask()
    expect(inLayer(family.parent.sessionId)).not.toEqual([])
    // The turn may end before the shell has started the program.
    await vi.waitFor(() => expect(processesWith(`sleep\0${4831}`)).not.toEqual([]))
    await family.app.close()
    expect(inLayer(family.parent.sessionId)).toEqual([])
    expect(processesWith(`sleep\0${4831}`)).toEqual([])
  })

  it('says when its host process was killed, and starts another one', async () => {
    const family = await beside(run('echo kept > kept.txt'), run('kill -9 $PPID; sleep 20'), run('cat kept.txt'))
    await family.ask()
    const [, , killed, after] = results(family)
    expect(killed).toContain('is lost')
    expect(after).toContain('kept')
  })

  // After a second, the layer is refreshed before the read.
  it.each([0, 1_100])('repeats a read if its host process was killed %i ms after it was used', async (afterMs) => {
    const family = await beside(run('echo kept > kept.txt'))
    await family.ask()
    const { app, parent } = family
    const session = app.store.sessions.get(parent.sessionId)
    const place = session && (await openPlace(app, session))
    if (!place?.ok) throw new Error('The layer was not opened.')
    onTestFinished(place.value.close)
    await delay(afterMs)
    await killInLayer(parent.sessionId)
    expect(Buffer.from(await place.value.environment.readBytes('kept.txt')).toString()).toBe('kept\n')
  })

  it('sees what was replaced in the folder since it last looked', async () => {
    const family = await beside(run('cat a.txt'), run('sleep 1.1'), calls(call('read_file', { path: 'a.txt' })), run('cat a.txt'))
    const ended = family.ask()
    await expect
      .poll(() => inLayer(family.parent.sessionId).some((pid) => commandOf(pid).includes(`sleep\0${1.1}`)), {
        timeout: 30_000,
        interval: 20,
      })
      .toBe(true)
    writeFileSync(join(family.folder, 'new.txt'), 'replaced\n')
    renameSync(join(family.folder, 'new.txt'), join(family.folder, 'a.txt'))
    await ended
    expect(results(family).slice(-2).join()).toMatch(/replaced.*replaced/u)
  })

  it('asks before a command reaches a host', async () => {
    const server = createServer((_, answer) => answer.end('reached')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const curl = run(`curl -sS --noproxy '' http://localhost:${port}/ && echo " it"`)
    const family = await beside(curl, curl)
    const ended = family.ask()
    await answer(family, { kind: 'sign' })
    await answer(family, { kind: 'refuse', note: null })
    await ended
    const [, reached, refused] = results(family)
    expect(reached).toContain('reached it')
    expect(refused).toContain(`could not reach localhost:${port}`)
  })

  it('asks before commands reach a port of this machine, and says that the command can run again', async () => {
    const server = createServer((_, reply) => reply.end('reached')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const curl = run(`curl -sS http://localhost:${port}/ && echo " it"`)
    const family = await beside(curl, curl, run(`true # ${port}`))
    const ended = family.ask()
    await answer(family, { kind: 'sign' })
    await ended
    const [, failed, again] = results(family)
    expect(failed).toContain(`From now on, commands reach localhost:${port}.`)
    expect(again).toContain('reached it')
  })

  it('hides what rules deny, also a file that is new, and a rule that is added while it works', async () => {
    const look = (round: number) => run(`cat [ab].* 2>&1 # ${round}`)
    const family = await beside(look(1), DONE, look(2), DONE, look(3))
    const { app, folder } = family
    const deny = (pattern: string): void => {
      app.rules.add([{ answer: 'deny', when: { kind: 'path', pattern }, where: { kind: 'project', folder } }], 'you')
    }
    rmSync(join(folder, 'b.txt'))
    deny('/b.txt')
    await family.ask()
    writeFileSync(join(folder, 'b.txt'), 'secret\n')
    await family.ask('New')
    expect(results(family).join()).not.toContain('secret')
    deny('/a.txt')
    await family.ask('Denied')
    expect(results(family).at(-1)).toMatch(/a\.txt: Permission denied.*b\.txt: Permission denied/u)
  })

  it('tells the model which programs a changed rule has ended', async () => {
    const family = await beside(
      run('sleep 4821', { run_in_background: true }),
      DONE,
      run('echo first'),
      run('echo second'),
      calls(call('bash_output', {})),
    )
    const { app, folder } = family
    await family.ask()
    await expect.poll(() => processesWith('sleep\u00004821'), { timeout: 30_000 }).not.toEqual([])
    app.rules.add([{ answer: 'deny', when: { kind: 'path', pattern: '/a.txt' }, where: { kind: 'project', folder } }], 'you')
    await family.ask('On')
    expect(processesWith('sleep\u00004821')).toEqual([])
    const [first, second, output] = results(family).slice(-3)
    expect(first).toContain('The rules for programs in this layer have changed')
    expect(first).toContain('sleep 4821')
    expect(second).not.toContain('have changed')
    expect(output).toMatch(/has ended.*host process.*was closed/u)
  })

  it('makes a folder of the project renamable when a command could not rename it, and says what it cannot rename', async () => {
    const script = `fs.renameSync('own', 'moved'); fs.renameSync('node_modules', 'other')`
    const family = await beside(
      run(`mkdir own && node -e "${script}"`),
      run(`node -e "fs.renameSync('node_modules', 'other')" && ls other`),
      run('echo "EXDEV: cross-device link not permitted"; false'),
    )
    await family.ask()
    const [, first, second, third] = results(family)
    expect(first).toContain('node_modules can be renamed now. Run the command again.')
    expect(second).toContain('pack\\n')
    expect(third).toContain('cannot be renamed in one step')
  })

  it('reads a file outside the folder after a signature, although commands do not see it', async () => {
    const outside = realpathSync(mkdtempSync(join(homedir(), 'countersign-outside-')))
    onTestFinished(() => rmSync(outside, { recursive: true }))
    const path = join(outside, 'file.txt')
    writeFileSync(path, 'outside\n')
    const family = await beside(calls(call('read_file', { path })), run(`cat ${path}`))
    const ended = family.ask()
    await answer(family, { kind: 'sign' })
    await ended
    const [, read, ran] = results(family)
    expect(read).toContain('toutside')
    expect(ran).toContain('No such file')
  })

  it('lets its subagents write side by side, each in a layer over its own', async () => {
    const both = calls(call('task', { agent_type: 'code', prompt: 'CHILD-ONE' }), call('task', { agent_type: 'code', prompt: 'CHILD-TWO' }))
    const family = await openFamily(
      ({ who, round }) => {
        if (who === 'PARENT') return [run('echo mine > mine.txt'), both, run('cat mine.txt one.txt two.txt')][round] ?? DONE
        const name = who === 'CHILD-ONE' ? 'one' : 'two'
        return round === 0 ? run(`sed s/mine/${name}/ mine.txt > ${name}.txt`) : DONE
      },
      { mode: 'ask', where: { kind: 'beside' }, watched: true, prepare: files },
    )
    await family.ask()
    expect(results(family).at(-1)).toContain('mine\\none\\ntwo')
    expect(family.children().map(({ parent }) => parent?.ownCopy)).toEqual([true, true])
    expect(readdirSync(family.folder).toSorted()).toEqual(['.gitignore', 'a.txt', 'b.txt', 'node_modules'])
  })
})

describe.skipIf(hasNoCopies)('a subagent that writes', { timeout: 60_000 }, () => {
  it('works in an overlay over the folder, and its changes are signed there', async () => {
    const family = await openFamily(
      ({ who, round }) => {
        if (who === 'PARENT') return round === 0 ? calls(call('task', { agent_type: 'code', prompt: 'CHILD-ONE' })) : DONE
        return round === 0 ? run('cat node_modules/pack/index.js > packed.txt') : DONE
      },
      { mode: 'ask', watched: true, prepare: files },
    )
    const ended = family.ask()
    await answer(family, { kind: 'sign' })
    await ended
    expect(readFileSync(join(family.folder, 'packed.txt'), 'utf8')).toBe('packed\n')
    expect(globSync('subagents/*/tree', { cwd: data(family) })).toEqual([])
  })

  it('has no running programs after it has finished, and its changes are signed when its parent asks for them', async () => {
    const spawn = calls(call('spawn_agent', { agent_type: 'code', task: 'CHILD-ONE' }))
    const family = await openFamily(
      ({ who, round, newest }) => {
        if (who !== 'PARENT') return round === 0 ? run('echo new > new.txt') : DONE
        const agent = family.children()[0]?.sessionId
        return round === 0 ? spawn : newest.includes('Wait') ? calls(call('wait', { agent_id: agent })) : DONE
      },
      { mode: 'ask', watched: true, prepare: files },
    )
    await family.ask()
    const [child] = family.children()
    const here = (): readonly string[] => inLayer(child?.sessionId ?? '')
    await expect.poll(here, { timeout: 20_000 }).not.toEqual([])
    await expect.poll(here, { timeout: 20_000 }).toEqual([])
    const ended = family.ask('Wait for it')
    await answer(family, { kind: 'sign' })
    await ended
    expect(readFileSync(join(family.folder, 'new.txt'), 'utf8')).toBe('new\n')
  })
})
