import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { type FolderChange, foldersWithoutFiles } from '../../../shared/session/file-change.ts'
import type { UndoTarget } from '../../../shared/session/rollback.ts'
import type { UndoRequest } from '../../../shared/session/undo-preview.ts'
import { APPROVAL_MODES, type ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import { deleteFileSpec, writeFileSpec } from '../../../shared/tools/built-in/write-file.ts'
import { readFileSpec } from '../../../shared/tools/built-in/read-file.ts'
import { shellSpec } from '../../../shared/tools/built-in/shell.ts'
import type { ExecutionEnvironment } from '../../../main/agent/ports/execution-environment.ts'
import { type App, createApp } from '../../../main/compose/app.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { headlessHost } from '../../../main/headless/headless-host.ts'
import { startModelServer } from '../../../main/providers/rehearsal/model-server.ts'
import type { OpenedSession } from '../../../main/sessions/opened-session.ts'
import { familyRequests } from '../../../main/subagents/subagent-requests.ts'
import { temporaryDataFolder } from '../../../main/environment/temporary-folder.ts'
import { VERSION } from '../../../main/version.ts'
import { type GivenAnswer, scripted } from './scripted-model.ts'
import { FORMATS } from '../../support/wire-formats/formats.ts'

const path = z.string().refine((given) => given !== '' && !isAbsolute(given) && !given.split('/').includes('..'), {
  message: 'Give a path inside the folder, relative to it.',
})
const file = z.strictObject({ path, content: z.string() })
const goal = z.union([z.string(), z.number().int().min(0)])
const choice = z.enum(['now', 'before'])

export const checkpointArguments = z.object({
  steps: z.array(
    z.union([
      z.strictObject({ write: file }),
      z.strictObject({ delete: path }),
      z.strictObject({ shell: z.string().min(1) }),
      z.strictObject({ edit: file }),
      z.strictObject({ remove: path }),
      z.strictObject({ checkpoint: z.string() }),
      z.strictObject({ restore: goal, anyway: z.boolean().default(false) }),
      z.strictObject({ undo: z.number().int().min(1), conflicts: choice.optional() }),
      z.strictObject({ redo: z.literal(true), anyway: z.boolean().default(false) }),
    ]),
  ),
  sandbox: z.enum(['auto', 'off']).default('auto'),
  mode: z.enum(APPROVAL_MODES).default('full'),
})
type Args = z.infer<typeof checkpointArguments>
type Step = Args['steps'][number]

/** `ok`: every step was done, and every undo covered all files. Lists contain the entries of all undos together. */
interface CheckpointRun {
  readonly ok: boolean
  readonly restored: readonly string[]
  readonly deleted: readonly string[]
  readonly skipped: readonly { readonly path: string; readonly why: string }[]
  readonly uncovered: readonly { readonly path: string; readonly why: string }[]
  /** What went wrong, as sentences. */
  readonly errors: readonly string[]
}

/**
 * Plays steps in a session of the real app. `write`, `delete` and `shell` are steps of the agent, numbered from 1. `edit` and `remove` are
 * changes that a user makes outside the session. `checkpoint` names the current state. `restore` returns to a checkpoint or to a step.
 * `undo` undoes one step. `redo` reverts the newest undo. `mode`: in `full`, commands run for real. In the other modes, they run in a copy
 * if the machine can make one.
 */
export async function checkpoint(cwd: string, { steps, sandbox, mode }: Args, signal: AbortSignal): Promise<CheckpointRun> {
  const answers: GivenAnswer[] = []
  const server = await startModelServer(({ index }) => scripted(answers, index), FORMATS)
  const data = await temporaryDataFolder()
  const host = headlessHost()
  await host.secrets.set('anthropic', 'scripted-key-0000')
  const done = new AbortController()
  const made = await createApp({
    host,
    dataFolder: data.path,
    version: VERSION,
    openFolder: null,
    watched: false,
    whenUnsaved: 'fail',
    trusted: cwd,
    sandbox,
    session: { retryForMs: 0 },
  })
  try {
    if (!made.ok) throw new Error(made.failure.what)
    const session = await started(made.value, cwd, server.url, mode)
    void signAll(made.value, session, done.signal)
    const run = createRun()
    const env = createLocalExecutionEnvironment(cwd)
    for (const step of steps) {
      signal.throwIfAborted()
      await play(step, { session, env, answers, run })
    }
    return run.result()
  } finally {
    done.abort()
    if (made.ok) await made.value.close()
    await server.close()
    await data.remove()
  }
}

async function started(app: App, cwd: string, baseUrl: string, mode: ApprovalMode): Promise<OpenedSession> {
  const session = await app.starter.start(cwd, { provider: 'anthropic', mode, baseUrl, effort: null })
  if (!session.ok) throw new Error(`${session.failure.what} ${session.failure.todo}`)
  return session.value
}

/** Signs every request, because a request to the driver counts as approval, as it does for the driver's tools. */
async function signAll(app: App, session: OpenedSession, signal: AbortSignal): Promise<void> {
  for await (const { session: asking, call } of familyRequests({ session, open: app.sessions.open, signal })) {
    const { approvalId, hash } = call.approval
    await asking.answer({ approvalId, hash, answer: { kind: 'sign' }, from: 'flag' })
  }
}

interface Stage {
  readonly session: OpenedSession
  /** The folder as a user outside the session sees it. */
  readonly env: ExecutionEnvironment
  readonly answers: GivenAnswer[]
  readonly run: ReturnType<typeof createRun>
}

async function play(step: Step, stage: Stage): Promise<void> {
  const { session, env, run } = stage
  if ('write' in step) {
    const args = { file_path: step.write.path, content: step.write.content }
    // The agent must read a file before it replaces the file.
    const isThere = await env.fileExists(step.write.path)
    return act(stage, [
      ...(isThere ? [{ name: readFileSpec.name, args: { file_path: step.write.path } }] : []),
      { name: writeFileSpec.name, args },
    ])
  }
  if ('delete' in step) return act(stage, [{ name: deleteFileSpec.name, args: { file_path: step.delete } }])
  if ('shell' in step) return act(stage, [{ name: shellSpec.name, args: { command: step.shell } }])
  if ('edit' in step) return env.writeBytes(step.edit.path, Buffer.from(step.edit.content))
  if ('remove' in step) return env.deleteFile(step.remove)
  if ('checkpoint' in step) return run.name(step.checkpoint, session.record.state().steps)
  if ('undo' in step)
    return undo(stage, { kind: 'step', step: run.stepOf(step.undo) }, { anyway: false, conflicts: step.conflicts ?? null })
  const target: UndoTarget | null =
    'redo' in step
      ? newestRollback(session)
      : { kind: 'to', step: typeof step.restore === 'number' ? run.stepOf(step.restore) : run.named(step.restore) }
  if (target === null) return run.failed('There is nothing to redo.')
  return undo(stage, target, { anyway: step.anyway, conflicts: null })
}

/** One turn of the agent with these calls. */
async function act(
  { session, answers, run }: Stage,
  calls: readonly { readonly name: string; readonly args: Record<string, string> }[],
): Promise<void> {
  answers.push(...calls.map((call): GivenAnswer => ({ calls: [call] })), 'Done.')
  const running = session.running()
  if (!running) throw new Error('This process is not running the session.')
  const said = running.submit('Go on.')
  if (!said.ok) throw new Error(said.trouble.what)
  const { ended } = await running.idle()
  run.acted(session.record.state().steps)
  const newest = [...session.record.read()].findLast(({ event }) => event.kind === 'TOOL_CALL_END')?.event
  if (ended !== 'completed') run.failed(`The agent's turn ended: ${ended}.`)
  else if (newest?.kind === 'TOOL_CALL_END' && newest.isError) run.failed(newest.output)
}

const newestRollback = ({ record }: OpenedSession): UndoTarget | null => {
  const rollbackId = record.state().rollbacks.at(-1)?.rollbackId
  return rollbackId === undefined ? null : { kind: 'rollback', rollbackId }
}

interface Decisions {
  readonly anyway: boolean
  readonly conflicts: 'now' | 'before' | null
}

async function undo({ session, run }: Stage, target: UndoTarget, { anyway, conflicts }: Decisions): Promise<void> {
  const preview = await session.previewUndo(target)
  if (!preview.ok) return run.failed(preview.failure.what)
  const { plan, skipped, conflicts: found } = preview.value
  const choices: UndoRequest['choices'] = found.map(({ path: at, regions }) => ({
    path: at,
    choices: Array.from({ length: Math.max(1, regions.length) }, () => conflicts ?? 'now'),
  }))
  const outcome = await session.undo({ target, plan, anyway: anyway ? skipped.map(({ path: at }) => at) : [], choices })
  if (outcome.kind === 'done') return run.undone(outcome.rollback)
  const left = [...skipped, ...found.map(({ shown }) => ({ shown, why: 'conflict' }))]
  if (left.length > 0) return run.undone({ files: [], skipped: left, uncovered: preview.value.uncovered })
  run.failed(outcome.kind === 'changed' ? 'The files changed between the preview and the undo.' : outcome.trouble.what)
}

interface Undone {
  readonly files: readonly { readonly path: string; readonly shown: string; readonly after: string | null }[]
  readonly folders?: readonly FolderChange[]
  readonly skipped: readonly { readonly shown: string; readonly why: string }[]
  readonly uncovered: readonly { readonly shown: string; readonly why: string }[]
}

function createRun() {
  const names = new Map<string, number>()
  /**
   * For each step of the agent, the number of the step in the session. The two numbers differ, because reading a file before replacing it
   * is a step in the session too.
   */
  const agentSteps: number[] = []
  const all = { restored: new Set<string>(), deleted: new Set<string>() }
  const skipped = new Map<string, string>()
  const uncovered = new Map<string, CheckpointRun['uncovered'][number]>()
  const errors: string[] = []
  return {
    name: (name: string, step: number): void => void names.set(name, step),
    named(name: string): number {
      const step = names.get(name)
      if (step === undefined) throw new Error(`There is no checkpoint ${name}.`)
      return step
    },
    acted: (step: number): void => void agentSteps.push(step),
    /** Returns the number that an agent's step has in the session. 0 means before the first step. */
    stepOf(number: number): number {
      const step = number === 0 ? 0 : agentSteps[number - 1]
      if (step === undefined) throw new Error(`The agent has taken only ${agentSteps.length} steps.`)
      return step
    },
    failed: (what: string): void => void errors.push(what),
    undone(rollback: Undone): void {
      const folders = foldersWithoutFiles(rollback.folders ?? [], rollback.files)
      for (const { shown, after } of [...rollback.files, ...folders]) (after === null ? all.deleted : all.restored).add(shown)
      for (const { shown, why } of rollback.skipped) skipped.set(shown, why)
      for (const { shown, why } of rollback.uncovered) uncovered.set(`${shown} ${why}`, { path: shown, why })
    },
    result(): CheckpointRun {
      return {
        ok: errors.length === 0 && skipped.size === 0,
        restored: [...all.restored],
        deleted: [...all.deleted],
        skipped: [...skipped].map(([shown, why]) => ({ path: shown, why })),
        uncovered: [...uncovered.values()],
        errors,
      }
    },
  }
}
