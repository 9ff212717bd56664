import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type WebSocket, WebSocketServer } from 'ws'
import { removeFolder } from '../remove-folder.ts'
import { type FakePod, fakePod } from './fake-pod.ts'
import { serveExec } from './serve-exec.ts'

/** The faults of the cluster. */
export interface Faults {
  /** The requests that the user may not make. */
  readonly forbidden?: readonly ('create' | 'get' | 'exec')[]
  /** Maximum number of pods in the namespace. */
  readonly quota?: number
  /** The warm pools of agent-sandbox. If absent, agent-sandbox is not installed. */
  readonly pools?: readonly string[]
  /** New pods stay pending for this reason. `isContainer`: their container waits. Otherwise, they wait for a node. */
  /** Like a load balancer, cuts `exec` connections after this many ms without bytes from the client. Pings of the WebSocket do not count. */
  readonly idleMs?: number
  readonly pending?: { readonly reason: string; readonly message: string; readonly isContainer?: boolean }
}

/** An API server for pods, with what `kubectl` needs. Its pods are processes on this machine, each with its own view of the files. */
export interface FakeCluster {
  readonly context: string
  readonly namespace: string
  /** A configuration for `kubectl`. */
  readonly kubeconfig: string
  /** The names of the pods that exist. */
  names(): readonly string[]
  manifest(name: string): Manifest
  setFaults(faults: Faults): void
  /** Ends a pod as a node with too little memory does. */
  evict(name: string): void
  /** Ends a pod as the kernel does if the pod needs more memory than its limit. */
  outOfMemory(name: string): void
  /** Removes all pods. */
  clear(): void
  /** Cuts all connections of `exec`. */
  cut(): void
  /** The number of connections that were cut because they were idle. */
  idleCuts(): number
  close(): Promise<void>
}

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Record<string, string>; readonly annotations: Record<string, string> }
  readonly spec: Record<string, unknown> & {
    readonly warmPoolRef?: { readonly name: string }
    readonly containers: readonly { readonly name: string; readonly command: readonly string[] }[]
    readonly volumes?: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[]
  }
  status?: Record<string, unknown>
}

interface Stored {
  readonly object: Manifest & { metadata: Record<string, unknown> }
  readonly pod: FakePod | null
}

function cutWhenIdle(socket: WebSocket, idleMs: number, onCut: () => void): void {
  const cut = (): void => {
    onCut()
    socket.terminate()
  }
  let timer = setTimeout(cut, idleMs)
  socket.on('message', () => {
    clearTimeout(timer)
    timer = setTimeout(cut, idleMs)
  })
  socket.on('close', () => clearTimeout(timer))
}

const KINDS = {
  pods: 'Pod',
  persistentvolumeclaims: 'PersistentVolumeClaim',
  sandboxclaims: 'SandboxClaim',
  sandboxes: 'Sandbox',
} as const
type Kind = keyof typeof KINDS
const PATH = /^\/apis?\/(?:[\w.-]+\/)?v1(?:beta1)?\/namespaces\/([^/]+)\/(\w+)(?:\/([^/]+))?(\/exec)?$/u

export async function startFakeCluster(given: Faults = {}): Promise<FakeCluster> {
  let faults = given
  let version = 1
  const base = realpathSync(mkdtempSync('/var/tmp/fake-cluster-'))
  const stored: Record<Kind, Map<string, Stored>> = {
    pods: new Map(),
    persistentvolumeclaims: new Map(),
    sandboxclaims: new Map(),
    sandboxes: new Map(),
  }
  const watchers = new Map<ServerResponse, (object: Stored['object']) => boolean>()
  const tell = (type: string, object: Stored['object']): void => {
    for (const [response, wants] of watchers) if (wants(object)) response.write(`${JSON.stringify({ type, object })}\n`)
  }
  const touch = (object: Stored['object'], status: Record<string, unknown>): void => {
    object.metadata['resourceVersion'] = String(++version)
    object.status = status
    tell('MODIFIED', object)
  }
  const start = ({ object, pod }: Stored, onRunning = (): void => {}): void => {
    const container = pod && object.spec.containers[0]
    if (!pod || !container) return
    const child = pod.start(container.command)
    child.on('spawn', () => {
      touch(object, running(container.name))
      onRunning()
    })
    child.on('close', (code) => {
      if (stored.pods.get(object.metadata.name)?.object !== object || object.status?.['phase'] !== 'Running') return
      touch(object, { phase: code === 0 ? 'Succeeded' : 'Failed', containerStatuses: [terminated(container.name, 'Error', code ?? 137)] })
    })
  }
  const create = (kind: Kind, namespace: string, object: Stored['object'], response: ServerResponse): void => {
    const { name } = object.metadata
    if (stored[kind].has(name)) return fail(response, 409, 'AlreadyExists', `${kind} "${name}" already exists`)
    if (faults.forbidden?.includes('create'))
      return fail(
        response,
        403,
        'Forbidden',
        `${kind} is forbidden: User "ada" cannot create resource "${kind}" in API group "" in the namespace "${namespace}"`,
      )
    if (kind === 'pods' && stored.pods.size >= (faults.quota ?? Infinity))
      return fail(
        response,
        403,
        'Forbidden',
        `pods "${name}" is forbidden: exceeded quota: team, requested: pods=1, used: pods=${stored.pods.size}, limited: pods=${faults.quota}`,
      )
    const claim = object.spec.volumes?.find((volume) => volume.persistentVolumeClaim)?.persistentVolumeClaim?.claimName
    const pod = kind === 'pods' ? fakePod(base, name, claim === undefined ? undefined : join(base, 'claims', claim)) : null
    if (kind === 'persistentvolumeclaims') mkdirSync(join(base, 'claims', name), { recursive: true })
    Object.assign(object.metadata, {
      namespace,
      uid: crypto.randomUUID(),
      creationTimestamp: new Date().toISOString(),
      resourceVersion: String(++version),
    })
    object.status = pendingStatus(faults.pending)
    const one = { object, pod }
    stored[kind].set(name, one)
    tell('ADDED', object)
    answer(response, 201, object)
    if (kind === 'sandboxclaims') bind(object, faults.pools ?? [])
    else if (!faults.pending) start(one)
  }
  /** What the controller of agent-sandbox does with a claim. The pod has another name than the sandbox, as in older versions. */
  const bind = (claim: Stored['object'], pools: readonly string[]): void => {
    const pool = claim.spec.warmPoolRef?.name ?? ''
    if (!pools.includes(pool)) {
      const message = `SandboxWarmPool "${pool}" not found`
      return touch(claim, { conditions: [{ type: 'Ready', status: 'False', reason: 'WarmPoolNotFound', message }] })
    }
    const sandbox = `${pool}-${claim.metadata.name}`
    const annotations = { 'agents.x-k8s.io/pod-name': `${sandbox}-pod` }
    const made = (kind: string, name: string, spec: object): Stored['object'] =>
      ({
        apiVersion: kind === 'Pod' ? 'v1' : 'agents.x-k8s.io/v1beta1',
        kind,
        metadata: { name, namespace: NAMESPACE, annotations, labels: {}, resourceVersion: String(++version) },
        spec,
      }) as unknown as Stored['object']
    stored.sandboxes.set(sandbox, { object: made('Sandbox', sandbox, {}), pod: null })
    const containers = [{ name: 'work', command: ['sh', '-c', 'while :; do sleep 60; done'] }]
    const one = { object: made('Pod', `${sandbox}-pod`, { containers }), pod: fakePod(base, `${sandbox}-pod`) }
    stored.pods.set(`${sandbox}-pod`, one)
    const bound = { conditions: [{ type: 'Ready', status: 'True', reason: 'DependenciesReady' }], sandbox: { name: sandbox } }
    start(one, () => touch(claim, bound))
  }
  const remove = (kind: Kind, name: string): void => {
    const one = stored[kind].get(name)
    if (!one) return
    stored[kind].delete(name)
    one.pod?.close()
    if (kind === 'persistentvolumeclaims') removeFolder(join(base, 'claims', name))
    tell('DELETED', one.object)
    const { sandbox } = (one.object.status ?? {}) as { readonly sandbox?: { readonly name: string } }
    if (sandbox) remove('sandboxes', sandbox.name)
    if (kind === 'sandboxes') remove('pods', `${name}-pod`)
  }
  const clear = (): void => {
    for (const name of stored.sandboxclaims.keys()) remove('sandboxclaims', name)
    for (const name of stored.pods.keys()) remove('pods', name)
  }
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => fail(response, 500, 'InternalError', String(error)))
  })
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://cluster')
    const discovered = discovery(faults.pools !== undefined)[url.pathname]
    if (discovered) return answer(response, 200, discovered)
    const [, namespace, kind, name] = (PATH.exec(url.pathname) as unknown as [string, string, Kind | undefined, string | undefined]) ?? []
    if (kind === undefined || !(kind in KINDS) || namespace === undefined)
      return fail(response, 404, 'NotFound', `${url.pathname} not found`)
    if (request.method === 'POST' && name === undefined)
      return create(kind, namespace, JSON.parse(await textOf(request)) as Stored['object'], response)
    if (faults.forbidden?.includes('get'))
      return fail(response, 403, 'Forbidden', `${kind} is forbidden: User "ada" cannot get resource "${kind}"`)
    if (name === undefined) return list(kind, url, response)
    const one = stored[kind].get(name)
    if (!one) return fail(response, 404, 'NotFound', `${kind} "${name}" not found`)
    if (request.method === 'DELETE') remove(kind, name)
    if (request.method === 'PATCH') {
      const patch = JSON.parse(await textOf(request)) as { metadata?: { annotations: object }; spec?: object }
      Object.assign(one.object.metadata.annotations, patch.metadata?.annotations)
      Object.assign(one.object.spec, patch.spec)
      touch(one.object, one.object.status ?? {})
    }
    answer(response, 200, one.object)
  }
  const list = (kind: Kind, url: URL, response: ServerResponse): void => {
    const wants = selector(url)
    const items = [...stored[kind].values()].map(({ object }) => object).filter(wants)
    if (url.searchParams.get('watch') === null)
      return answer(response, 200, { kind: `${KINDS[kind]}List`, apiVersion: 'v1', metadata: { resourceVersion: String(version) }, items })
    response.writeHead(200, { 'content-type': 'application/json' })
    const since = Number(url.searchParams.get('resourceVersion') ?? 0)
    for (const object of items)
      if (Number(object.metadata['resourceVersion']) > since) response.write(`${JSON.stringify({ type: 'MODIFIED', object })}\n`)
    watchers.set(response, (object) => object.kind === KINDS[kind] && wants(object))
    response.on('close', () => watchers.delete(response))
  }
  let idleCuts = 0
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has('v5.channel.k8s.io') ? 'v5.channel.k8s.io' : false),
  })
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', 'http://cluster')
    const [, , , name = '', exec] = PATH.exec(url.pathname) ?? []
    const one = stored.pods.get(name)
    const refuse = (code: number, reason: string, message: string): void => {
      const body = JSON.stringify(failure(code, reason, message))
      socket.end(
        `HTTP/1.1 ${code} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    }
    if (!one || exec === undefined) return refuse(404, 'NotFound', `pods "${name}" not found`)
    if (faults.forbidden?.includes('exec'))
      return refuse(403, 'Forbidden', `pods "${name}" is forbidden: User "ada" cannot create resource "pods/exec"`)
    if (one.object.status?.['phase'] !== 'Running') return refuse(400, 'BadRequest', `container not running in pod ${name}`)
    sockets.handleUpgrade(request, socket, head, (ws) => {
      if (faults.idleMs !== undefined) cutWhenIdle(ws, faults.idleMs, () => (idleCuts += 1))
      if (one.pod) serveExec(ws, one.pod.start(url.searchParams.getAll('command')))
    })
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const kubeconfig = join(base, 'kubeconfig.json')
  writeFileSync(kubeconfig, JSON.stringify(configFor((server.address() as AddressInfo).port)))
  const end = (name: string, status: Record<string, unknown>): void => {
    const one = stored.pods.get(name)
    if (!one) throw new Error(`There is no pod ${name}.`)
    touch(one.object, status)
    one.pod?.kill()
  }
  return {
    context: CONTEXT,
    namespace: NAMESPACE,
    kubeconfig,
    names: () => [...stored.pods.keys()],
    manifest(name) {
      const one = stored.pods.get(name) ?? stored.sandboxclaims.get(name)
      if (!one) throw new Error(`There is no pod ${name}.`)
      return one.object
    },
    setFaults: (next) => void (faults = next),
    evict: (name) => end(name, { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' }),
    outOfMemory: (name) => end(name, { phase: 'Failed', containerStatuses: [terminated('work', 'OOMKilled', 137)] }),
    idleCuts: () => idleCuts,
    cut: () => sockets.clients.forEach((client) => client.terminate()),
    clear,
    async close() {
      clear()
      sockets.clients.forEach((client) => client.terminate())
      server.closeAllConnections()
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      await closed.promise
      removeFolder(base)
    },
  }
}

const CONTEXT = 'fake/cluster'
const NAMESPACE = 'team'

const configFor = (port: number) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': CONTEXT,
  clusters: [{ name: 'fake', cluster: { server: `http://127.0.0.1:${port}` } }],
  contexts: [{ name: CONTEXT, context: { cluster: 'fake', user: 'ada', namespace: NAMESPACE } }],
  users: [{ name: 'ada', user: {} }],
})

const running = (name: string) => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [{ name, ready: true, state: { running: { startedAt: new Date().toISOString() } } }],
})

const terminated = (name: string, reason: string, exitCode: number) => ({ name, ready: false, state: { terminated: { reason, exitCode } } })

function pendingStatus(pending: Faults['pending']) {
  if (!pending) return { phase: 'Pending', containerStatuses: [{ name: 'work', state: { waiting: { reason: 'ContainerCreating' } } }] }
  const { reason, message, isContainer = false } = pending
  return isContainer
    ? { phase: 'Pending', containerStatuses: [{ name: 'work', state: { waiting: { reason, message } } }] }
    : { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason, message }] }
}

const answer = (response: ServerResponse, code: number, body: unknown): void => {
  response.writeHead(code, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const failure = (code: number, reason: string, message: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason,
  code,
  message,
})
const fail = (response: ServerResponse, code: number, reason: string, message: string): void =>
  answer(response, code, failure(code, reason, message))

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += String(piece)
  return text
}

/** Whether a list or a watch asks for an object, by name and by labels. */
function selector(url: URL): (object: Stored['object']) => boolean {
  const field = /^metadata\.name=(.+)$/u.exec(url.searchParams.get('fieldSelector') ?? '')?.[1]
  const labels = (url.searchParams.get('labelSelector') ?? '').split(',').filter(Boolean)
  return ({ metadata }) =>
    (field === undefined || metadata.name === field) &&
    labels.every((label) => {
      const [name = '', value] = label.split('=')
      return value === undefined ? name in metadata.labels : metadata.labels[name] === value
    })
}

const resource = (name: Kind, singularName: string) => ({
  name,
  singularName,
  namespaced: true,
  kind: KINDS[name],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'watch'],
})

const group = (name: string) => {
  const version = { groupVersion: `${name}/v1beta1`, version: 'v1beta1' }
  return { name, versions: [version], preferredVersion: version }
}
const resources = (groupVersion: string, ...all: readonly ReturnType<typeof resource>[]) => ({
  kind: 'APIResourceList',
  groupVersion,
  resources: all,
})

/** `hasSandboxes`: agent-sandbox is installed. */
const discovery = (hasSandboxes: boolean): Readonly<Record<string, unknown>> => ({
  '/version': { major: '1', minor: '33', gitVersion: 'v1.33.0' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: hasSandboxes ? [group('extensions.agents.x-k8s.io'), group('agents.x-k8s.io')] : [],
  },
  '/api/v1': resources('v1', resource('pods', 'pod'), resource('persistentvolumeclaims', 'persistentvolumeclaim')),
  ...(hasSandboxes && {
    '/apis/extensions.agents.x-k8s.io/v1beta1': resources('extensions.agents.x-k8s.io/v1beta1', resource('sandboxclaims', 'sandboxclaim')),
    '/apis/agents.x-k8s.io/v1beta1': resources('agents.x-k8s.io/v1beta1', resource('sandboxes', 'sandbox')),
  }),
})
