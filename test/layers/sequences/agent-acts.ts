import { callsText } from './model-script.ts'
import { type Killed, perform } from './perform.ts'
import { type Cells, CELLS, linkTo, PATHS, seen, targetOf, textOf, write } from './reference.ts'
import { copyOf, layerOf, type Run, sessionOf, type World } from './run.ts'
import type { AgentAct, Change } from './steps.ts'

interface AgentStep {
  /** The files that it writes or deletes, in this order. */
  readonly files: ReadonlyMap<string, Cells>
  readonly calls: readonly object[]
  /** Whether nothing of the folder shows through at these paths any more. */
  readonly isCovered?: boolean
}

/** One turn of the agent. Null if the step does not fit. */
export function agentStep(run: Run, index: number, step: AgentAct): AgentStep | null {
  const shown = (path: string): Cells => seen(layerOf(run.world, index), run.world.folder, path)
  switch (step.kind) {
    case 'agent': {
      const path = PATHS[step.path] ?? 'f0'
      const now = shown(path)
      const next = nextCells(now, step, `agent ${run.count}`)
      if (next === undefined) return null
      const calls = callsFor(path, now, next, step)
      const files = new Map<string, Cells>().set(path, next)
      return { files, calls }
    }
    case 'agent moves': {
      const from = PATHS[step.path] ?? 'f0'
      const to = PATHS[step.to] ?? 'f1'
      const cells = shown(from)
      if (from === to || cells === null) return null
      const files = new Map<string, Cells>([
        [to, cells],
        [from, null],
      ])
      return { files, calls: [shell(`mkdir -p d && mv ${from} ${to}`)] }
    }
    case 'agent removes the folder':
      return shown('d/f2') === null ? null : { files: new Map([['d/f2', null]]), calls: [shell('rm -r d')], isCovered: true }
  }
}

export async function takeAgentStep(run: Run, index: number, { files, calls, isCovered }: AgentStep, killed: Killed): Promise<void> {
  const session = sessionOf(run, index)
  const after = copyOf(run.world)
  const layer = layerOf(after, index)
  const done = [...files].map(([path, cells]) => ({ path, before: seen(layer, after.folder, path), after: cells }))
  const halves: World[] = []
  for (const [path, cells] of files) {
    write(layer, after.folder, path, cells, isCovered)
    halves.unshift(copyOf(after))
  }
  let step = 0
  const ask = async (): Promise<void> => {
    const made = await run.app.call('ask', { sessionId: session.sessionId, text: callsText(calls) })
    const isWhole = made.length === calls.length && made.every(({ status }) => status === 'done')
    if (!isWhole && !killed.isMine) throw new Error(`A call of the agent failed: ${JSON.stringify(made)}`)
    step = made.at(-1)?.step ?? 0
  }
  if (await perform(run, ask, [after, ...halves], killed)) session.inside = { step, files: done }
}

const shell = (command: string): object => ({ name: 'shell', args: { command } })

function callsFor(path: string, now: Cells, next: Cells, { act, cell, by }: Change): readonly object[] {
  if (next === null) return [shell(`rm ${path}`)]
  const target = targetOf(next)
  if (target !== null) return [shell(`mkdir -p d && ln -sfn ${target} ${path}`)]
  const text = textOf(next)
  const read = now === null ? [] : [{ name: 'read_file', args: { path } }]
  if (act === 'cell' && by === 'command') return [shell(`sed -i '${2 * cell + 1}s/.*/${next[cell] ?? ''}/' ${path}`)]
  if (act === 'cell') {
    const lines = (cells: Cells): string => `${cells?.[cell] ?? ''}\nafter ${cell}\n`
    return [...read, { name: 'edit_file', args: { path, old_string: lines(now), new_string: lines(next) } }]
  }
  // The tool does not write through a link.
  if (by === 'tool' && targetOf(now) === null) return [...read, { name: 'write_file', args: { path, content: text } }]
  return [shell(`mkdir -p d && printf '%b' '${text.replaceAll('\n', '\\n')}' > .part && mv .part ${path}`)]
}

/** The file's lines after the change; null if it deletes the file. Undefined if the change is not possible, such as deleting a missing file. */
export function nextCells(now: Cells, { act, cell }: Pick<Change, 'act' | 'cell'>, text: string): Cells | undefined {
  if (act === 'link') return linkTo(text.replace(' ', '-'))
  if (act === 'write') return Array.from({ length: CELLS }, (_, at) => `${text} ${at}`)
  if (now === null || (act === 'cell' && targetOf(now) !== null)) return undefined
  return act === 'delete' ? null : now.with(cell, text)
}
