import { agentStep, nextCells, takeAgentStep } from './agent-acts.ts'
import { checkAll } from './check-run.ts'
import { AppKilled, type DrivenApp } from './driven-app.ts'
import { writeInFolder } from './folder-files.ts'
import { killInLayer } from './kill-in-layer.ts'
import { fork, takeOver, undoInside } from './layer-acts.ts'
import { type Killed, killAfter, NOT_KILLED, perform } from './perform.ts'
import { CELLS, type Files, type Layer, openLayer, PATHS } from './reference.ts'
import { copyOf, type Run, sessionOf } from './run.ts'
import { sign, undoSigned } from './sign-acts.ts'
import type { Act, Step } from './steps.ts'

/** Opens a session beside a new folder. */
export async function openSequence(app: DrivenApp, folder: string, kind: Layer['kind']): Promise<Run> {
  const files: Files = new Map(PATHS.map((path) => [path, path === 'n3' ? null : Array.from({ length: CELLS }, (_, n) => `${path} ${n}`)]))
  for (const [path, cells] of files) writeInFolder(folder, path, cells)
  const sessionId = await started(app, folder, kind)
  return {
    app,
    folder,
    sessions: [{ sessionId, signed: [], inside: null }],
    world: { folder: files, layers: [openLayer(kind, files)] },
    count: 0,
  }
}

async function started(app: DrivenApp, folder: string, kind: Layer['kind']): Promise<string> {
  try {
    return await app.call('start', { folder, kind })
  } catch (error) {
    if (!(error instanceof AppKilled)) throw error
    return started(app, folder, kind)
  }
}

/** Takes a step, and checks that the folder and the layers contain what `reference.ts` says. */
export async function take(run: Run, step: Step): Promise<void> {
  const { app, sessions } = run
  if (step.kind === 'restart') {
    await app.restart()
    return checkAll(run)
  }
  if (step.kind !== 'kill') return act(run, step, NOT_KILLED)
  const { sessionId } = sessionOf(run, step.during.who % sessions.length)
  const kill = step.what === 'app' ? () => app.kill() : () => killInLayer(sessionId)
  await act(run, step.during, killAfter(kill, step.afterMs))
  await checkAll(run)
}

/** Takes over and signs all that is left, and checks everything before and after it. */
export async function finish(run: Run): Promise<void> {
  await checkAll(run)
  for (const index of run.sessions.keys()) {
    await takeOver(run, index)
    await sign(run, index, ['all', 'all', 'all', 'all'])
  }
  await checkAll(run)
  await run.app.call('leave', { sessionIds: run.sessions.map(({ sessionId }) => sessionId) }).catch((error: unknown) => {
    if (!(error instanceof AppKilled)) throw error
  })
}

async function act(run: Run, step: Act, killed: Killed): Promise<void> {
  run.count += 1
  const index = step.who % run.sessions.length
  switch (step.kind) {
    case 'user': {
      const path = PATHS[step.path] ?? 'f0'
      const next = nextCells(run.world.folder.get(path) ?? null, step, `user ${run.count}`)
      if (next === undefined) return
      const after = copyOf(run.world)
      after.folder.set(path, next)
      await perform(run, () => Promise.resolve(writeInFolder(run.folder, path, next)), [after])
      return
    }
    case 'sign':
      return sign(run, index, step.parts, killed)
    case 'refuse':
      return sign(run, index, [], killed)
    case 'undo':
      return undoSigned(run, index, killed)
    case 'undo inside':
      return undoInside(run, index, killed)
    case 'take over':
      return takeOver(run, index, killed)
    case 'fork':
      return fork(run, index, killed)
    default: {
      const turn = agentStep(run, index, step)
      if (turn !== null) await takeAgentStep(run, index, turn, killed)
    }
  }
}
