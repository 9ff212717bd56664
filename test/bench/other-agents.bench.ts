import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, createApp } from '../../main/compose/app.ts'
import { placeFor } from '../../main/compose/session-places/foreign-session.ts'
import { runningAgent } from '../../main/compose/session-places/running-agent.ts'
import { missingPart } from '../../main/environment/copy/copy-support.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { createAgentSteps } from '../../main/foreign-agents/agent-steps.ts'
import { besideWith, type KnownAgent, knownAgent } from '../../main/foreign-agents/known-agents.ts'
import { connectAgent } from '../../main/foreign-agents/protocol/connect-agent.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import type { OpenedSession } from '../../main/sessions/opened-session.ts'
import { disposable } from '../../shared/lib/disposable.ts'
import { installedAgent, REAL_AGENTS, setUp } from '../foreign-agents/support/real-agents.ts'
import { inFolder, made, openApp, startModel } from './bench-app.ts'
import { type Figure, median } from './figures.ts'
import { cpuMs } from './started-processes.ts'

const STARTS = 5
const CALLS = 30
const SESSIONS = 20
const SEARCHES = 10
const FILES = 10_000
const FAKE_AGENT = join(import.meta.dirname, '../fixtures/foreign-agents/fake-agent.mjs')
/** The published agents whose start is measured if they are installed: the fastest one, and those that take seconds. */
const MEASURED: readonly string[] = ['goose', 'codex', 'claude']

/** Measures third-party agents: how they start in a layer, when the change set of a call is there, and how their sessions are found. */
export async function benchOtherAgents(): Promise<readonly Figure[]> {
  const missing = await missingPart()
  if (missing.kind === 'absent') return [{ promise: 'third-party agents', value: 'skipped', method: missing.reason }]
  const fake = await inFolder(async (folder) => startFigure('fake', folder, fakeAgent(folder)))
  const figures = [fake]
  for (const id of MEASURED) figures.push(await inFolder((folder) => realStart(id, folder)))
  return [...figures, ...(await inFolder(sessions))]
}

async function realStart(id: string, folder: string): Promise<Figure> {
  const agent = REAL_AGENTS.find((one) => one.id === id)
  const file = agent ? installedAgent(agent) : null
  if (!agent || file === null) return { promise: `start of ${id}`, value: 'skipped', method: 'it is not installed' }
  const model = await startModel({ kind: 'word' })
  try {
    return await startFigure(id, folder, await setUp(agent, file, made(folder, 'home'), model.url))
  } finally {
    await model.close()
  }
}

/** The fake agent, whose sessions are in a folder of its own. Returns its entry for agents.json. */
function fakeAgent(folder: string): object {
  const program = made(folder, 'fake-agent')
  mkdirSync(join(program, 'sessions'))
  cpSync(FAKE_AGENT, join(program, 'agent.mjs'))
  const args = [join(program, 'agent.mjs'), join(program, 'sessions')]
  return { name: 'Fake', command: process.execPath, args, modes: ['free'], folders: [program] }
}

interface Place {
  readonly app: App
  readonly project: string
  readonly data: string
}

async function openPlace(folder: string, agents: Readonly<Record<string, object>>): Promise<Place> {
  const project = made(folder, 'project')
  const data = made(folder, 'data')
  writeFileSync(join(data, 'agents.json'), JSON.stringify({ agents }))
  const app = await createApp({
    host: headlessHost(),
    dataFolder: data,
    version: '0',
    openFolder: null,
    watched: false,
    whenUnsaved: 'fail',
    trusted: project,
  })
  if (!app.ok) throw new Error(app.failure.what)
  return { app: app.value, project, data }
}

/** How long a start takes until the agent has opened a session in its mode, and the CPU time of all processes until then, in ms. */
interface Start {
  readonly readyMs: number
  readonly cpuMs: number
}

async function startFigure(id: string, folder: string, entry: object): Promise<Figure> {
  const place = await openPlace(folder, { [id]: entry })
  const agent = knownAgent(place.data, id)
  if (agent === null || agent.file === null) throw new Error(`The program of ${id} was not found.`)
  const bare: Start[] = []
  const inLayer: Start[] = []
  try {
    // The variants run alternately, so that other load on the machine affects both. The first run of each fills the disk cache.
    for (let run = 0; run <= STARTS; run++) {
      bare.push(await bareStart(place.project, agent, agent.file))
      inLayer.push(await startInLayer(place, agent))
    }
  } finally {
    await place.app.close()
  }
  const middle = (starts: readonly Start[], of: keyof Start): number => median(starts.slice(1).map((start) => start[of]))
  const told = (of: keyof Start): string => {
    const layer = middle(inLayer, of)
    const plain = middle(bare, of)
    return `${(layer / plain).toFixed(2)} × (${layer.toFixed(0)} beside ${plain.toFixed(0)} ms)`
  }
  return {
    promise: `start of ${id} in its layer, against bare`,
    value: `ready ${told('readyMs')}, CPU ${told('cpuMs')}`,
    method: `medians of ${STARTS}, the two in turn, until the agent of an open session has a session of its own in its mode; bar: 1.15 × for published agents`,
  }
}

async function measured(start: () => Promise<void>): Promise<Start> {
  const cpu = cpuMs()
  const began = performance.now()
  await start()
  return { readyMs: performance.now() - began, cpuMs: cpuMs() - cpu }
}

async function bareStart(project: string, { args, env, modes }: KnownAgent, file: string): Promise<Start> {
  const environment = createLocalExecutionEnvironment(project)
  try {
    return await measured(async () => {
      const program = await environment.open([file, ...args], { envVars: env })
      const parts = {
        version: '0',
        invocation: [file, ...args],
        cwd: project,
        resume: null,
        modes,
        chosen: {},
        onOffers: () => {},
        onSignIns: () => {},
      }
      const connected = await connectAgent({ ...parts, program, beforeCall: () => Promise.resolve() })
      if (!connected.ok) throw new Error(connected.failure.why)
    })
  } finally {
    await environment.cleanup()
  }
}

/** The session is open, so its layer already runs. */
async function startInLayer({ app, project, data }: Place, agent: KnownAgent): Promise<Start> {
  const { sessionId } = await sessionWith(app, project, agent.id)
  const summary = app.store.sessions.get(sessionId)
  const opened = summary && (await placeFor({ ...app, foreignAgent: (id) => knownAgent(data, id) }, summary))
  if (!opened?.ok || opened.value.foreign === null) throw new Error('The layer could not be opened.')
  const running = runningAgent({
    agent,
    place: opened.value.foreign.place,
    steps: createAgentSteps(),
    sessionId,
    traffic: { onRequest: () => Promise.resolve({ onAnswer: () => {} }) },
    resume: () => null,
    onRefused: () => {},
    onSignIns: () => {},
    onStart: () => disposable(() => {}),
    chosen: () => ({}),
    onOffers: () => {},
  })
  try {
    await opened.value.foreign.place.openHosts()
    return await measured(async () => {
      const connected = await running.connect()
      if (!connected.ok) throw new Error(connected.failure.why)
    })
  } finally {
    await running.close()
    await opened.value.workspace.close()
    await app.sessions.discard(sessionId)
  }
}

async function sessionWith(app: App, project: string, agent: string): Promise<OpenedSession> {
  const started = await app.starter.start(project, besideWith(agent))
  if (!started.ok) throw new Error(started.failure.what)
  return started.value
}

async function sessions(folder: string): Promise<readonly Figure[]> {
  const model = await startModel({ kind: 'word' })
  const port = Number(new URL(model.url).port)
  const place = await openPlace(folder, { fake: { ...fakeAgent(folder), ports: [port] } })
  for (let at = 0; at < FILES; at++) {
    const inner = join(place.project, `d${at % 100}`)
    if (at < 100) mkdirSync(inner)
    writeFileSync(join(inner, `f${at}.txt`), `${at}\n`)
  }
  try {
    const calls = await changeSets(place, model.url)
    for (let n = 1; n < SESSIONS; n++) await speak(place, [{ say: `The harvest of session ${n} is in.` }, { stamp: 'a.txt' }])
    await place.app.close()
    return [calls, await searched(place)]
  } finally {
    await model.close()
  }
}

/** Runs one turn of a new session, and returns when it has ended. `hear` is called with each event. */
async function speak(
  { app, project }: Place,
  steps: readonly object[],
  hear: Parameters<OpenedSession['record']['subscribe']>[0] = () => {},
) {
  const session = await sessionWith(app, project, 'fake')
  session.record.subscribe(hear)
  const running = session.running()
  running?.submit(JSON.stringify(steps))
  await running?.idle()
  await app.sessions.discard(session.sessionId)
}

/** Each call writes the time at which it ended into its file. The agent then asks its model, as agents do. */
async function changeSets(place: Place, url: string): Promise<Figure> {
  const lags: number[] = []
  const calls = Array.from({ length: CALLS }, (_, n) => [{ stamp: `d${n % 5}/new-${n}.txt` }, { request: url }])
  await speak(place, [{ say: 'The harvest begins.' }, ...calls.flat()], ({ event }) => {
    if (event.kind !== 'FILES_CHANGED') return
    const now = performance.timeOrigin + performance.now()
    for (const { after } of event.files) if (after) lags.push(now - Number(place.app.store.blobs.get(after).toString()))
  })
  if (lags.length !== CALLS) throw new Error(`${lags.length} of ${CALLS} calls have a change set.`)
  return {
    promise: `change set of an agent's call, ${FILES} files`,
    value: `first ${(lags[0] ?? 0).toFixed(0)} ms after the call, median ${median(lags).toFixed(0)} ms, at most ${Math.max(...lags).toFixed(0)} ms`,
    method: `from the end of the call in the agent to its change set in the log, ${CALLS} calls in 5 folders with a model request after each; bar: first at most 50 ms`,
  }
}

async function searched({ data, project }: Place): Promise<Figure> {
  const { client, close } = await openApp(data, project)
  try {
    const search = { words: 'harvest', perSession: 1, foundIn: 'answer', folder: project } as const
    const took: number[] = []
    for (let run = 0; run < SEARCHES;) {
      const began = performance.now()
      const found = await client.history.search(search)
      if (!found.ok) throw new Error(found.trouble.what)
      const { behind, bySession } = found.answer
      if (behind > 0) continue
      took.push(performance.now() - began)
      run++
      const count = Object.keys(bySession).length
      if (count !== SESSIONS) throw new Error(`The search lists ${count} of ${SESSIONS} sessions.`)
    }
    return {
      promise: `${SESSIONS} sessions of third-party agents in one search`,
      value: `${median(took).toFixed(1)} ms, at most ${Math.max(...took).toFixed(1)} ms`,
      method: `${SEARCHES} searches after a restart; each must list all ${SESSIONS}`,
    }
  } finally {
    await close()
  }
}
