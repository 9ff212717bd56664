import fc from 'fast-check'
import { CELLS, PATHS } from './reference.ts'

/** A change to one file. `path` and `cell` are indexes. */
export interface Change {
  readonly act: 'cell' | 'write' | 'delete' | 'link'
  readonly path: number
  readonly cell: number
  readonly by: 'tool' | 'command'
}

interface BySession {
  /** Index of the session, taken modulo the number of sessions. */
  readonly who: number
}

/** The part of a file's change that is signed. */
export type Part = 'all' | 'nothing' | 'first hunk' | 'other hunks'

/** A turn of a session's agent. */
export type AgentAct = BySession &
  (
    | ({ readonly kind: 'agent' } & Change)
    | { readonly kind: 'agent moves'; readonly path: number; readonly to: number }
    | { readonly kind: 'agent removes the folder' }
  )

export type Act =
  | AgentAct
  | (BySession &
      (
        | ({ readonly kind: 'user' } & Change)
        | { readonly kind: 'refuse' | 'undo' | 'undo inside' | 'take over' | 'fork' }
        | { readonly kind: 'sign'; /** For each path that is asked for, in order. */ readonly parts: readonly Part[] }
      ))

export type Step =
  | Act
  | { readonly kind: 'restart' }
  | { readonly kind: 'kill'; readonly what: 'app' | 'host'; readonly afterMs: number; readonly during: Act }

const who = fc.nat(2)
const path = fc.nat(PATHS.length - 1)
const change = {
  who,
  act: fc.constantFrom('cell' as const, 'cell' as const, 'cell' as const, 'write' as const, 'delete' as const, 'link' as const),
  path,
  cell: fc.nat(CELLS - 1),
  by: fc.constantFrom('tool' as const, 'command' as const),
}
const kind = <K extends string>(name: K) => fc.record({ kind: fc.constant(name), who })
const part: fc.Arbitrary<Part> = fc.constantFrom('all', 'all', 'nothing', 'first hunk', 'other hunks')
const parts = fc.array(part, { minLength: PATHS.length, maxLength: PATHS.length })

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('agent' as const), ...change }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('user' as const), ...change }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('agent moves' as const), who, path, to: path }) },
  { weight: 1, arbitrary: kind('agent removes the folder') },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('sign' as const), who, parts }) },
  { weight: 1, arbitrary: kind('refuse') },
  { weight: 2, arbitrary: kind('undo') },
  { weight: 1, arbitrary: kind('undo inside') },
  { weight: 2, arbitrary: kind('take over') },
  { weight: 1, arbitrary: kind('fork') },
)

/** Maximum delay of a kill in ms. Most steps take less. */
const LATEST_MS = 250

/** Of 100 steps, one restarts the app, one kills it, and one kills all that runs in a layer. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 97, arbitrary: act },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('kill' as const),
      what: fc.constantFrom('app' as const, 'host' as const),
      afterMs: fc.nat(LATEST_MS),
      during: act,
    }),
  },
)

export const steps = fc.array(step, { minLength: 4, maxLength: 16 })
