import { createAmending } from '../../../main/changes/amending.ts'
import { createInterface } from 'node:readline'
import type { Provider } from '../../../main/agent/ports/provider.ts'
import { recoverFolderCopies } from '../../../main/compose/folder-copies.ts'
import { createSignedFiles } from '../../../main/environment/copy/guard/control-file-contents.ts'
import { createFolderCopies } from '../../../main/host-process/here/folder-copies.ts'
import type { OpenedSession } from '../../../main/sessions/opened-session.ts'
import { createSessions } from '../../../main/sessions/sessions.ts'
import { systemClock } from '../../../main/environment/system-clock.ts'
import { openStore } from '../../../main/store/open-store.ts'
import { newId, SessionId } from '../../../shared/lib/ids.ts'
import { ok, type Result } from '../../../shared/lib/result.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { httpProvider, testRuntime, testWorkspaces } from '../../agent/support/runtime.ts'
import type { ProcessOptions, Said, Told } from '../support/child.ts'

/**
 * Opens a store and one of its sessions with the real parts. Prints events as JSON lines, and executes the commands that it reads as JSON
 * lines.
 */
const options = JSON.parse(process.argv[2] ?? '') as ProcessOptions
const say = (said: Said): void => void process.stdout.write(`${JSON.stringify(said)}\n`)

const store = value(await openStore(options.data))
if (options.inCopies) await recoverFolderCopies(options.data, store)
const createCopies = (folder: string) => createFolderCopies({ dataFolder: options.data, folder, signed: createSignedFiles() })
const workspaces = testWorkspaces(store.notes, options.inCopies ? createCopies : undefined)
const provider: Provider = httpProvider(options.modelUrl)
const sessions = createSessions({
  store,
  clock: systemClock,
  amending: createAmending(store.blobs),
  runtimeFor: async (session) => ok(await testRuntime(store, workspaces, session, provider)),
})
const config = {
  provider: 'anthropic',
  model: 'claude-haiku-4-5',
  mode: (options.mode ?? 'ask') as ApprovalMode,
  effort: null,
  baseUrl: null,
} as const
const session = value(
  options.sessionId ? await sessions.open(SessionId.parse(options.sessionId)) : await sessions.create({ cwd: options.folder, ...config }),
)
session.record.subscribe((envelope) => {
  if (envelope.seq !== null) say({ kind: 'event', seq: envelope.seq, event: envelope.event })
})
const { run, ended } = session.record.state()
const log = [...store.log(session.sessionId).read({ after: 0 })]
const warnings = log.flatMap(({ event }) => (event.kind === 'WARNING' ? [event.trouble] : []))
say({ kind: 'ready', sessionId: session.sessionId, run, ended, runsHere: session.running() !== null, warnings })

for await (const line of createInterface({ input: process.stdin })) await obey(JSON.parse(line) as Told, session)

async function obey(told: Told, on: OpenedSession): Promise<void> {
  switch (told.kind) {
    case 'send':
      return void (await on.send({ inputId: newId('in'), text: told.text, delivery: told.delivery ?? 'queue' }))
    case 'resume':
      return void (await on.resume())
    case 'stop':
      return void (await on.stop())
    case 'sign':
      return say({ kind: 'answer', outcome: await answer({ kind: 'sign' }) })
    case 'refuse':
      return say({ kind: 'answer', outcome: await answer({ kind: 'refuse', note: null }) })
    case 'idle':
      return void on
        .running()
        ?.idle()
        .then((state) => say({ kind: 'idle', state }))
    case 'quit':
      await sessions.closeAll()
      await workspaces.closeAll()
      store.close()
      process.exit(0)
  }
}

async function answer(given: { kind: 'sign' } | { kind: 'refuse'; note: null }): Promise<unknown> {
  const waits = session.record.state().items.find((item): item is CallItem => item.kind === 'call' && item.status === 'waiting')
  if (!waits?.approval) return 'nothing waits'
  const { approvalId, hash } = waits.approval
  return session.answer({ approvalId, hash, answer: given, from: 'terminal' })
}

function value<T>(result: Result<T, Trouble>): T {
  if (!result.ok) throw new Error(result.failure.what)
  return result.value
}
