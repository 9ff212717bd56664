import { existsSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createMadePlaces } from '../../main/places/made/made-places.ts'
import { createPlaces, type Places } from '../../main/places/places.ts'
import { runAgent, startAgent } from '../headless/support/agent-process.ts'
import { place as modelPlace } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { parseAddress } from '../../shared/places/address.ts'
import { startFakeCluster, type FakeCluster } from '../support/kubernetes/fake-cluster.ts'
import { livePlace } from '../live/live-place.ts'
import { changedRepository, newFolder } from './support/made.ts'
import { NO_REDACTOR } from './support/no-redactor.ts'
import { buildGuest } from './support/ssh-server.ts'

const missing = ['/usr/bin/kubectl', '/usr/bin/bwrap'].find((file) => !existsSync(file)) ?? null
if (missing !== null) process.stderr.write(`Skipped: ${missing} was not found.\n`)

describe.skipIf(missing !== null)('a pod of its own for a session', { timeout: 180_000 }, () => {
  let cluster: FakeCluster
  const opened: Places[] = []
  const openPlaces = (madeIn = newFolder('records')): Places => {
    const places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(false), madeIn })
    opened.push(places)
    return places
  }
  const planned = async (places: Places, folder: string, query = '?image=test:1') => {
    const made = await (await places.made()).plan(`k8s:///${query}`, folder)
    if (!made.ok) throw new Error(JSON.stringify(made.failure))
    const { place, folder: inside } = parseAddress(made.value.address)
    if (place === null) throw new Error(made.value.address)
    return { made: made.value, place, inside }
  }
  beforeAll(async () => {
    await buildGuest()
    cluster = await startFakeCluster()
    process.env['KUBECONFIG'] = cluster.kubeconfig
  }, 180_000)
  afterEach(async () => {
    cluster.setFaults({})
    for (const places of opened.splice(0)) await places.close()
    cluster.clear()
  })
  afterAll(() => cluster?.close())

  test('the pod has the folder with its uncommitted changes, at its commit and branch', async () => {
    const { folder, git } = changedRepository()
    const places = openPlaces()
    const { made, place, inside } = await planned(places, folder)
    expect([made.address, inside]).toEqual([
      `k8s://fake%2Fcluster/team/${made.name}/workspaces/${basename(folder)}`,
      `/workspaces/${basename(folder)}`,
    ])
    expect(cluster.names()).toEqual([])
    const reached = await places.reach(place)
    if (!reached.ok) throw new Error(JSON.stringify(reached.failure))
    const env = reached.value.createEnvironment(inside)
    const there = async (command: string): Promise<string> => (await env.execCommand(command)).stdout.trim()
    expect(await there('git rev-parse HEAD')).toBe(git('rev-parse', 'HEAD'))
    expect(await there('git branch --show-current')).toBe('trunk')
    expect(await there('git status --porcelain')).toBe(['M a.txt', ' D gone.txt', '?? new.txt'].join('\n'))
    expect(await there('cat a.txt new.txt; ls')).toBe('hello\nchanged\nnew\na.txt\nnew.txt')
    expect(await there('git remote get-url origin')).toBe('https://example.org/shop.git')
    expect(git('status', '--porcelain')).toBe(['M a.txt', 'D  gone.txt', '?? new.txt'].join('\n'))
    expect(existsSync(join(folder, 'ignored.log'))).toBe(true)
  })

  test('a headless run works in a pod that is gone afterwards, and its changes are signed on this computer', async () => {
    const { folder } = changedRepository()
    const command = 'rm new.txt; echo made > made.txt; printf "#!/bin/sh" > run.sh; chmod +x run.sh; ln -s a.txt link; git add -A'
    const at = await modelPlace([
      calls(call('edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' })),
      calls(call('shell', { command })),
      say('Done.'),
    ])
    const ran = await runAgent(['--place', 'k8s:///?image=test:1', '--approve', 'all', 'Do it'], { ...at, cwd: folder })
    expect([ran.code, cluster.names()]).toEqual([0, []])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('hello\nchanged\n')
    const [, sessionId = ''] = /bring-in (s_\w+)/u.exec(ran.stderr) ?? []
    // The user keeps working in the meantime.
    writeFileSync(join(folder, 'a.txt'), 'hello\nchanged\nmore\n')
    const brought = await runAgent(['--approve', 'all', 'bring-in', sessionId], { ...at, cwd: folder })
    expect([brought.code, brought.stderr]).toEqual([0, ''])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('hello there\nchanged\nmore\n')
    expect([existsSync(join(folder, 'new.txt')), readFileSync(join(folder, 'made.txt'), 'utf8')]).toEqual([false, 'made\n'])
    expect([statSync(join(folder, 'run.sh')).mode & 0o100, readlinkSync(join(folder, 'link'))]).toEqual([0o100, 'a.txt'])
    const again = await runAgent(['--approve', 'all', 'bring-in', sessionId], { ...at, cwd: folder })
    expect(again.stdout).toContain('there is nothing to bring in')
  })

  test('a pod can come from a warm pool of agent-sandbox, and its claim ends with the session', async () => {
    cluster.setFaults({ pools: ['fast'] })
    const { folder } = changedRepository()
    const at = await modelPlace([
      calls(
        call('edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' }),
        call('shell', { command: 'git status --porcelain > status.txt' }),
      ),
      say('Done.'),
    ])
    const ran = await runAgent(['--place', 'k8s:///?pool=fast&hours=2', '--approve', 'all', 'Do it'], { ...at, cwd: folder })
    expect([ran.code, ran.stderr, cluster.names()]).toEqual([
      0,
      expect.stringMatching(/claim:countersign-\w+\/tmp\/workspaces.*pool=fast/u),
      [],
    ])
    const [, sessionId = ''] = /bring-in (s_\w+)/u.exec(ran.stderr) ?? []
    const brought = await runAgent(['--approve', 'all', 'bring-in', sessionId], { ...at, cwd: folder })
    expect([brought.code, brought.stderr]).toEqual([0, ''])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('hello there\nchanged\n')
    // The agent works in a clone of the folder, with its uncommitted changes.
    expect(readFileSync(join(folder, 'status.txt'), 'utf8')).toContain(' D gone.txt')
  })

  test('a claim names its session, and ends with its lease', async () => {
    cluster.setFaults({ pools: ['fast'] })
    const places = openPlaces()
    const { folder } = changedRepository()
    const { made, place } = await planned(places, folder, '?pool=fast')
    expect(made.address).toBe(`k8s://fake%2Fcluster/team/claim:${made.name}/tmp/workspaces/${basename(folder)}`)
    expect(await places.reach(place)).toMatchObject({ ok: true })
    const { metadata, spec } = cluster.manifest(made.name)
    expect(metadata).toMatchObject({ labels: { 'countersign/session': made.name }, annotations: { 'countersign/folder': folder } })
    expect(spec).toMatchObject({ lifecycle: { shutdownPolicy: 'Delete' }, additionalPodMetadata: { labels: metadata.labels } })
    const { lifecycle } = spec as unknown as { readonly lifecycle: { readonly shutdownTime: string } }
    expect(Math.round((Date.parse(lifecycle.shutdownTime) - made.createdAt) / 60_000)).toBe(60)
  })

  test('the hours of a claim count from its creation, also if another process renews its lease', async () => {
    cluster.setFaults({ pools: ['fast'] })
    const folder = newFolder('records')
    const claiming = createMadePlaces({ folder, now: Date.now })
    const claimed = await claiming.plan('k8s:///?pool=fast&hours=2', changedRepository().folder)
    if (!claimed.ok) throw new Error(claimed.failure.what)
    const { name, address } = claimed.value
    const { place } = parseAddress(address)
    if (place === null) throw new Error(address)
    expect(await claiming.ensure(place, { report: () => {} })).toMatchObject({ ok: true })
    claiming.close()
    const endsAt = (): number => {
      const { lifecycle } = cluster.manifest(name).spec as unknown as { readonly lifecycle: { readonly shutdownTime: string } }
      return Date.parse(lifecycle.shutdownTime)
    }
    const first = endsAt()
    const { creationTimestamp } = cluster.manifest(name).metadata as unknown as { readonly creationTimestamp: string }
    // Two seconds before the hours are over, in a process that has not made the claim. It renews every second, each time for four more.
    const last = Date.parse(creationTimestamp) + 2 * 3_600_000
    const renewing = createMadePlaces({ folder, leaseS: 4, now: () => last - 2_000 })
    renewing.keep(place)
    await expect.poll(endsAt).not.toBe(first)
    renewing.close()
    expect(endsAt()).toBe(Math.floor(last / 1000) * 1000)
  })

  test.each(['?image=test:1', '?pool=fast'])(
    'places list shows what a killed run has left (%s), and places stop ends it',
    async (query) => {
      cluster.setFaults({ pools: ['fast'] })
      const { folder } = changedRepository()
      const at = await modelPlace([calls(call('shell', { command: 'sleep 300' })), say('Done.')])
      const running = startAgent(['--place', `k8s:///${query}`, '--approve', 'all', 'Do it'], { ...at, cwd: folder })
      await at.model.request(0)
      running.child.kill('SIGKILL')
      await running.outcome
      const list = async () =>
        (JSON.parse((await runAgent(['places', 'list', '--json'], at, false)).stdout) as { places: { place: string }[] }).places
      const left = await list()
      expect([left, cluster.names().length]).toMatchObject([[{ kind: 'made', from: expect.stringContaining(query), folder, why: null }], 1])
      const stop = (...args: readonly string[]) => runAgent(['places', 'stop', left[0]?.place ?? '', '--yes', ...args], at, false)
      const stopped = await stop()
      expect([stopped.code, stopped.stderr, cluster.names(), await list()]).toMatchObject([
        0,
        '',
        [],
        [{ why: expect.stringMatching(/^There is no (?:pod|claim)/u) }],
      ])
      expect([(await stop('--uninstall')).code, await list()]).toEqual([0, []])
    },
  )

  test('a load balancer that closes connections after 5 s of silence does not close one during a silent command', async () => {
    cluster.setFaults({ idleMs: 5_000 })
    const places = openPlaces()
    const { place, inside } = await planned(places, changedRepository().folder)
    const reached = await places.reach(place)
    if (!reached.ok) throw new Error(JSON.stringify(reached.failure))
    const env = reached.value.createEnvironment(inside)
    let losses = 0
    const listening = places.onLost(() => (losses += places.lost().length))
    expect((await env.execCommand('sleep 14; echo end', { timeoutMs: 60_000 })).stdout).toBe('end\n')
    expect([losses, cluster.idleCuts()]).toEqual([0, 0])
    listening.dispose()
  })

  const COMMIT = 'git -c user.name=Pod -c user.email=pod@example.org commit --quiet'

  test('the commits and the other work of a clone become a branch, and neither files nor the checked-out branch change', async () => {
    const { folder, git } = changedRepository()
    const hook = join(folder, '.git/hooks/reference-transaction')
    writeFileSync(hook, `#!/bin/sh\ntouch ${folder}/ignored.log.hook\n`, { mode: 0o755 })
    const at = await modelPlace([
      calls(
        call('shell', { command: `echo made > made.txt; git add made.txt; ${COMMIT} -m "Made there" -- made.txt; echo rest > rest.txt` }),
      ),
      say('Done.'),
    ])
    const ran = await runAgent(['--place', 'k8s:///?image=test:1', '--approve', 'all', 'Do it'], { ...at, cwd: folder })
    expect(ran.code).toBe(0)
    const [, sessionId = ''] = /bring-in (s_\w+)/u.exec(ran.stderr) ?? []
    const facts = () => [
      git('status', '--porcelain'),
      git('rev-parse', 'HEAD'),
      git('branch', '--show-current'),
      readFileSync(join(folder, 'a.txt'), 'utf8'),
    ]
    const before = facts()
    const branch = (...more: readonly string[]) => runAgent(['bring-in', sessionId, '--branch', ...more], { ...at, cwd: folder })
    const unasked = await branch('work')
    expect([unasked.code, unasked.stderr, git('branch', '--list', 'work')]).toEqual([1, expect.stringContaining('--yes'), ''])
    const made = await branch('work', '--yes')
    expect([made.code, made.stderr, made.stdout]).toEqual([0, '', expect.stringContaining('Made the branch work at')])
    expect(facts()).toEqual(before)
    expect(existsSync(`${folder}/ignored.log.hook`)).toBe(false)
    expect(git('log', '--format=%s|%an', 'trunk..work').split('\n')).toEqual([expect.stringMatching(/\|/u), 'Made there|Pod'])
    expect(git('ls-tree', '-r', '--name-only', 'work').split('\n')).toEqual(['.gitignore', 'a.txt', 'made.txt', 'new.txt', 'rest.txt'])
    expect(git('show', 'work:a.txt')).toBe('hello\nchanged')
    expect(git('for-each-ref', '--format=%(refname)').split('\n')).toEqual(['refs/heads/trunk', 'refs/heads/work'])
    const tip = git('rev-parse', 'work')
    const again = await branch('work', '--yes')
    expect([again.code, again.stderr, git('rev-parse', 'work')]).toEqual([1, expect.stringContaining('The branch work exists'), tip])
    for (const name of ['a..b', 'HEAD', 'work/below']) expect([name, (await branch(name, '--yes')).code]).toEqual([name, 1])
    expect([facts(), git('for-each-ref', '--format=%(refname)').split('\n')]).toEqual([before, ['refs/heads/trunk', 'refs/heads/work']])
  })

  test('in a branch without commits of the clone, the user’s own uncommitted changes come first, in a commit of their own', async () => {
    const { folder, git } = changedRepository()
    const at = await modelPlace([calls(call('edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' })), say('Done.')])
    const ran = await runAgent(['--place', 'k8s:///?image=test:1', '--approve', 'all', 'Do it'], { ...at, cwd: folder })
    expect(ran.code).toBe(0)
    const made = await runAgent(['bring-in', 'last', '--branch', 'edits', '--yes', '--json'], { ...at, cwd: folder })
    expect([made.code, made.stderr]).toEqual([0, ''])
    expect(JSON.parse(made.stdout)).toMatchObject({ branch: 'edits', commits: 2, commit: git('rev-parse', 'edits'), folder })
    expect(git('log', '-1', '--format=%s', 'edits^')).toBe('Uncommitted changes when the session began')
    expect(git('diff', '--stat', 'edits^', 'edits')).toContain('a.txt')
    expect(git('show', 'edits^:a.txt')).toBe('hello\nchanged')
    expect(git('show', 'edits:a.txt')).toBe('hello there\nchanged')
    expect(git('rev-parse', 'edits^^')).toBe(git('rev-parse', 'trunk'))
  })

  test('commits that were made in a pod are in the pod that replaces it', async () => {
    const { folder } = changedRepository()
    const places = openPlaces()
    const { made, place, inside } = await planned(places, folder)
    const reached = await places.reach(place)
    if (!reached.ok) throw new Error(JSON.stringify(reached.failure))
    const env = reached.value.createEnvironment(inside)
    const there = async (command: string): Promise<string> => (await env.execCommand(command)).stdout.trim()
    await there(`echo made > made.txt; git add made.txt; ${COMMIT} -m "Made there" -- made.txt`)
    const head = await there('git rev-parse HEAD')
    await (await places.made()).fetch(made)
    const running = env.execCommand('sleep 600').catch(() => null)
    await expect.poll(() => there('pgrep -c sleep || :').then((count) => Number(count) > 0)).toBe(true)
    cluster.evict(made.name)
    await running
    expect([await there('git rev-parse HEAD'), await there('git branch --show-current')]).toEqual([head, 'trunk'])
    expect(await there('git status --porcelain')).toBe(['M a.txt', ' D gone.txt', '?? new.txt'].join('\n'))
  })

  test.each([
    ['an eviction', 'evict', 'was evicted: The node was low on resource: memory.'],
    ['a pod that needs too much memory', 'outOfMemory', 'was ended because it needed more memory than its limit (OOMKilled).'],
  ] as const)('%s is reported with the reason, and the new pod begins with the fetched state', async (_, end, words) => {
    const { folder } = changedRepository()
    const places = openPlaces()
    const { made, place, inside } = await planned(places, folder)
    const reached = await places.reach(place)
    if (!reached.ok) throw new Error(JSON.stringify(reached.failure))
    const env = reached.value.createEnvironment(inside)
    await env.writeFile('kept.txt', 'kept')
    await (await places.made()).fetch(made)
    const running = env.execCommand('sleep 600').catch((error: Error) => error.message)
    await expect.poll(() => env.execCommand('pgrep -c sleep || :').then(({ stdout }) => Number(stdout) > 0)).toBe(true)
    cluster[end](made.name)
    expect(await running).toContain(`The pod ${made.name} ${words}`)
    expect(await env.readFile('kept.txt')).toContain('kept')
    expect(cluster.names()).toContain(made.name)
  })

  test.each([
    ['the user may not make pods', { forbidden: ['create'] }, 'pod_forbidden', 'cannot create resource "pods"'],
    ['the user may not run programs in pods', { forbidden: ['exec'] }, 'not_cloned', 'pods/exec'],
    ['the quota is used up', { quota: 0 }, 'pod_over_quota', 'exceeded quota'],
    [
      'the image cannot be fetched',
      { pending: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "test:1"', isContainer: true } },
      'pod_not_started',
      'ImagePullBackOff): Back-off pulling image "test:1".',
    ],
    [
      'the warm pool does not exist',
      { pools: ['fast'] },
      'pod_not_started',
      'WarmPoolNotFound): SandboxWarmPool "slow" not found.',
      '?pool=slow',
    ],
    ['agent-sandbox is not installed', {}, 'no_agent_sandbox', 'have a resource type', '?pool=fast'],
  ] as const)('if %s, the reason is shown and nothing is retried', async (_, faults, code, words, query?: string) => {
    const { folder } = changedRepository()
    const places = openPlaces()
    const { made, place } = await planned(places, folder, query)
    cluster.setFaults(faults)
    expect(await places.reach(place)).toMatchObject({ ok: false, failure: { code, what: expect.stringContaining(words) } })
    if (code !== 'not_cloned') expect(cluster.names()).not.toContain(made.name)
  })

  test('while a pod waits for a node, the reason is reported, and the pod is removed when the user cancels', async () => {
    const { folder } = changedRepository()
    const places = openPlaces()
    const { made, place } = await planned(places, folder)
    cluster.setFaults({ pending: { reason: 'Unschedulable', message: '0/3 nodes are available: 3 Insufficient cpu.' } })
    const stop = new AbortController()
    const heard: string[] = []
    const asker = { answer: () => Promise.resolve(null), mayInstall: () => Promise.resolve(true), signal: stop.signal }
    const reaching = places.reach(place, { ...asker, report: (words) => heard.push(words) })
    await expect
      .poll(() => heard)
      .toContain(`The pod ${made.name} waits for a node (Unschedulable): 0/3 nodes are available: 3 Insufficient cpu.`)
    expect(cluster.names()).toContain(made.name)
    stop.abort(new Error('The user waits no longer.'))
    expect(await reaching).toMatchObject({ ok: false, failure: { code: 'place_given_up' } })
    expect(cluster.names()).not.toContain(made.name)
  })

  test('the pod has requests, limits, a deadline and a lease, and no token for the cluster', async () => {
    const places = openPlaces()
    const { made, place } = await planned(
      places,
      changedRepository().folder,
      '?image=test:1&cpu=500m&memory=1Gi&disk=2Gi&hours=3&keep=true',
    )
    expect((await places.reach(place)).ok).toBe(true)
    const { metadata, spec } = cluster.manifest(made.name)
    expect(metadata).toMatchObject({
      labels: { 'countersign/session': made.name },
      annotations: { 'countersign/folder': made.folder, 'countersign/lease': expect.stringMatching(/^\d{4}-/u) },
    })
    expect(spec).toMatchObject({
      restartPolicy: 'Never',
      activeDeadlineSeconds: 3 * 3600,
      automountServiceAccountToken: false,
      containers: [{ image: 'test:1', resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: '500m', memory: '1Gi' } } }],
      volumes: [{ persistentVolumeClaim: { claimName: made.name } }],
    })
  })

  test('the pod of an attempt that was killed is taken over', async () => {
    const { folder } = changedRepository()
    const madeIn = newFolder('records')
    const first = openPlaces(madeIn)
    const { place } = await planned(first, folder)
    expect((await first.reach(place)).ok).toBe(true)
    const before = cluster.names()
    const second = openPlaces(madeIn)
    const reached = await second.reach(place)
    expect([reached.ok, cluster.names()]).toEqual([true, before])
  })

  test('a command keeps running while the connection is cut, and none of its output is lost', async () => {
    const places = openPlaces()
    const { place, inside } = await planned(places, changedRepository().folder)
    const reached = await places.reach(place)
    if (!reached.ok) throw new Error(JSON.stringify(reached.failure))
    const env = reached.value.createEnvironment(inside)
    const running = env.execCommand('for i in 1 2 3 4 5 6; do echo line $i; touch at.$i; sleep 1; done')
    await expect.poll(() => env.fileExists('at.2'), { timeout: 30_000 }).toBe(true)
    cluster.cut()
    expect((await running).stdout).toBe([1, 2, 3, 4, 5, 6].map((count) => `line ${count}\n`).join(''))
  })

  test('a pod ends by itself when no desk renews its lease', async () => {
    const made = createMadePlaces({ folder: newFolder('records'), leaseS: 6, now: Date.now })
    const planned = await made.plan('k8s:///?image=test:1', changedRepository().folder)
    const { place } = parseAddress(planned.ok ? planned.value.address : '')
    if (place === null) throw new Error('There is no place.')
    expect(await made.ensure(place, { report: () => {} })).toMatchObject({ ok: true })
    made.close()
    const why = expect.stringContaining('ended by itself, because no desk renewed its lease')
    await expect.poll(async () => (await made.list()).map(({ state }) => state), { timeout: 60_000 }).toEqual([{ kind: 'gone', why }])
  })

  test('the script for a real cluster passes against the fake cluster, and leaves no pods', async () => {
    const said: string[] = []
    expect([await livePlace(newFolder('live'), 'k8s:///?image=test:1', (line) => said.push(line)), said]).toEqual([
      0,
      expect.arrayContaining([expect.stringContaining('after it was removed')]),
    ])
    expect(cluster.names()).toEqual([])
  })
})
