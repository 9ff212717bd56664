import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createRehearsalProvider } from '../../../main/providers/rehearsal/rehearsal-provider.ts'
import { SAMPLE_FILES } from '../../../main/providers/rehearsal/sample-files.ts'
import { type NodeForTests, nodeForTests } from '../../../main/providers/rehearsal/node-for-sample-tests.ts'
import { systemClock } from '../../../main/environment/system-clock.ts'
import { REHEARSAL_TASK } from '../../../shared/api/sessions.ts'
import type { CallItem, Item } from '../../../shared/session/state.ts'
import { answerCall, openRig, type Rig, type RigOptions } from '../../agent/support/rig.ts'

/** What the user does with a step that waits. The default is to sign it. */
export type Decision = 'sign' | 'stop' | { readonly refuse: string | null }

export interface Rehearsed {
  readonly rig: Rig
  /** Sends a message and decides on each waiting step until the turn has ended. Returns the texts and steps of the turn, in order. */
  turn(text?: string, decide?: (call: CallItem, index: number) => Decision | Promise<Decision>): Promise<readonly string[]>
  file(path: string): Promise<string>
}

/** Runs the rehearsal in a real folder with real tools. The app reaches its script over HTTP. */
export async function rehearsed(node: NodeForTests | null = nodeForTests(), options: RigOptions = {}): Promise<Rehearsed> {
  const provider = createRehearsalProvider(systemClock, 0, node)
  onTestFinished(() => provider.close())
  const rig = await openRig(provider, options)
  for (const [path, content] of Object.entries(SAMPLE_FILES)) {
    await mkdir(dirname(join(rig.folder, path)), { recursive: true })
    await writeFile(join(rig.folder, path), content)
  }
  let asked = 0
  return {
    rig,
    async turn(text = REHEARSAL_TASK, decide = () => 'sign') {
      const { session } = rig
      const before = rig.replay().items.length
      session.submit(text)
      for (let call = await next(rig); call; call = await next(rig)) {
        const decision = await decide(call, asked++)
        if (decision === 'stop') await session.stop()
        else answerCall(session, call, decision === 'sign' ? undefined : decision.refuse)
      }
      return rig.replay().items.slice(before).flatMap(told)
    },
    file: (path) => readFile(join(rig.folder, path), 'utf8'),
  }
}

/** Resolves with the next step that waits. Null when the turn has ended. */
async function next({ session }: Rig): Promise<CallItem | null> {
  const { call } = await session.record.until(() => {
    const { items, run } = session.state()
    const waiting = items.find((item): item is CallItem => item.kind === 'call' && item.status === 'waiting' && !item.approval?.answer)
    return waiting ? { call: waiting } : run === 'IDLE' ? { call: null } : null
  }, new AbortController().signal)
  return call
}

function told(item: Item): readonly string[] {
  if (item.kind === 'prose') return [item.text]
  if (item.kind === 'call') return [`${item.toolName} ${item.status}`]
  return item.kind === 'notice' ? [`notice ${item.trouble.code}`] : []
}
