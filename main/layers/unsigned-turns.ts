import type { SessionId } from '../../shared/lib/ids.ts'
import type { AskedHost, TurnOfAgent } from '../../shared/session/effects.ts'
import type { DurableEvent } from '../../shared/session/events.ts'
import { agentStepSpec } from '../../shared/tools/built-in/agent-step.ts'
import { createSlices } from '../agent/event-loop-slices.ts'
import type { Store } from '../store/store.ts'
import { decidedRequests } from './decided-requests.ts'

interface UnsignedParts {
  readonly store: Pick<Store, 'log' | 'ledger' | 'prepare'>
  /** The session whose work is brought in. */
  readonly from: SessionId
  /** The session that asks for the signature. */
  readonly asking: SessionId
}

/** Number of events that are read at once. */
const BATCH = 50
/** Maximum number of command lines of a turn that a request names, and of their characters. */
const MAX_COMMANDS = 50
const MAX_COMMAND_CHARS = 500

/** The session's turns that changed any of these files (absolute paths) since the user has decided about the file, oldest first. */
export async function unsignedTurns(parts: UnsignedParts, paths: ReadonlySet<string>): Promise<readonly TurnOfAgent[]> {
  const { store, from, asking } = parts
  await store.prepare(from)
  const decided = await decidedRequests(store, asking)
  const decidedAt = new Map([...paths].map((path) => [path, decided.findLast(({ later }) => !later.has(path))?.at ?? 0]))
  const slice = createSlices()
  const starts: number[] = []
  const works: TurnWork[] = []
  /** The newest event before each of these times. */
  const before = new Map([...decidedAt.values()].map((time) => [time, 0]))
  for (const { seq, at, event } of store.log(from).read({ after: 0 })) {
    if (event.kind === 'USER_INPUT') {
      starts.push(seq)
      works.push({ commands: [], count: 0, hosts: new Map() })
    }
    addWork(works.at(-1), event)
    for (const time of before.keys()) if (at <= time) before.set(time, seq)
    await slice()
  }
  const isOpen = (path: string, seq: number): boolean => seq > (before.get(decidedAt.get(path) ?? -1) ?? Infinity)
  const turns = new Map<number, TurnOfAgent>()
  for (let after = Math.min(...before.values()); ;) {
    const found = store.ledger.changes(from, after, BATCH)
    for (const { seq, step, event } of found) {
      if (event.kind !== 'FILES_CHANGED' || !event.files.some(({ path }) => isOpen(path, seq))) continue
      const turn = starts.filter((start) => start < seq).length
      turns.set(turn, { turn, first: turns.get(turn)?.first ?? step, last: step, ...workOf(works[turn - 1]) })
    }
    const last = found.at(-1)
    if (!last || found.length < BATCH) return [...turns.values()]
    after = last.seq
    await slice()
  }
}

/** What the agent did in a turn. `count`: how many commands it ran. */
interface TurnWork {
  readonly commands: string[]
  count: number
  readonly hosts: Map<string, AskedHost>
}

function addWork(work: TurnWork | undefined, event: DurableEvent): void {
  if (!work) return
  if (event.kind === 'TOOL_CALL_START' && event.toolName === agentStepSpec.name && event.args?.['kind'] === 'execute') {
    work.count += 1
    const { title } = event.args
    if (work.commands.length < MAX_COMMANDS && typeof title === 'string') work.commands.push(title.slice(0, MAX_COMMAND_CHARS))
  }
  if (event.kind !== 'TOOL_CALL_END' || event.toolName !== agentStepSpec.name) return
  const { data } = agentStepSpec.details.safeParse(event.details)
  for (const host of data?.hosts ?? []) work.hosts.set(JSON.stringify([host.host, host.answer]), host)
}

function workOf(work: TurnWork | undefined): Pick<TurnOfAgent, 'commands' | 'moreCommands' | 'hosts'> {
  if (!work) return {}
  return { commands: work.commands, moreCommands: work.count - work.commands.length, hosts: [...work.hosts.values()] }
}
