import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import { openMemoryStore } from '../../../main/store/open-store.ts'
import type { Rollback, UndoTarget } from '../../../shared/session/rollback.ts'
import type { UndoPreview } from '../../../shared/session/undo-preview.ts'
import { type Entry, executable, FOLDER, isExecutable, isLink, isRelated, linkTo, textOf } from './entries.ts'
import { createUndoWorld, type Disturbance, type Files, type StepWay, type UndoWorld } from './undo-world.ts'

const PATHS = ['a', 'b', 'dir/c', 'dir/d é\n', 'swap', 'swap/inner'] as const
/** All paths that are compared, including the folders above the changed paths. */
const PLACES = [...PATHS, 'dir']
/** The number of places in a file that can change independently, because unchanged lines separate them. */
const SLOTS = 4

type Change = { readonly path: string; readonly slot: number | 'delete' | 'link' | 'folder' | 'executable' }
export type Act =
  | { readonly kind: 'edit'; readonly changes: readonly Change[] }
  | { readonly kind: 'step'; readonly changes: readonly Change[]; readonly way: StepWay; readonly meanwhile: Change | null }
  | {
      readonly kind: 'undo'
      readonly what: 'to' | 'step' | 'redo'
      readonly which: number
      readonly anyway: boolean
      readonly choice: 'now' | 'before'
      readonly disturbance: { readonly at: number; readonly what: 'kill-before' | 'kill-after' | Change } | null
    }

const change = fc.record({
  path: fc.constantFrom(...PATHS),
  slot: fc.oneof(
    { weight: 6, arbitrary: fc.nat(SLOTS - 1) },
    { weight: 2, arbitrary: fc.constantFrom('delete' as const, 'link' as const, 'folder' as const, 'executable' as const) },
  ),
})
const changes = fc.array(change, { minLength: 1, maxLength: 3 })
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      changes,
      way: fc.record({ by: fc.constantFrom('tool' as const, 'copy' as const, 'command' as const), subagent: fc.boolean() }),
      meanwhile: fc.option(change, { freq: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), changes }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('undo' as const),
      what: fc.constantFrom('to' as const, 'step' as const, 'redo' as const),
      which: fc.nat(5),
      anyway: fc.boolean(),
      choice: fc.constantFrom('now' as const, 'before' as const),
      disturbance: fc.option(
        fc.record({ at: fc.nat(3), what: fc.oneof(fc.constantFrom('kill-before' as const, 'kill-after' as const), change) }),
        { freq: 2 },
      ),
    }),
  },
)

/**
 * Checks random sequences of agent steps, user edits, undos, and processes that are killed during an undo. `examples` are checked first.
 * Without a `seed`, each run is different.
 */
export async function checkUndos(numRuns: number, examples: readonly (readonly Act[])[] = [], seed?: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 9 }), async (acts) => {
      // An undo reads all subagents of the store. With one store for all sequences, each undo would take longer than the one before.
      const store = await openMemoryStore()
      const sessionId = store.sessions.create({
        cwd: '/w',
        provider: 'anthropic',
        model: 'm',
        mode: 'full',
        effort: null,
        baseUrl: null,
      })
      const world = createUndoWorld(store, sessionId, PLACES)
      try {
        await play(world, acts)
      } finally {
        world.remove()
        store.close()
      }
    }),
    { numRuns, examples: examples.map((acts) => [[...acts]] as const), ...(seed !== undefined && { seed }) },
  )
}

interface Played {
  /** The number of the next value. Each value is written only once. */
  next: number
  /** The files before each step. Index 0 belongs to step 1. */
  readonly before: Files[]
  /** The files after each step. Index 0 contains the files before the first step. */
  readonly after: Files[]
  /** For each path, how many steps had been made when the user last edited it. */
  readonly edited: Map<string, number>
  readonly touches: Map<string, Touch[]>
  /** Paths that a user changed during an undo, and paths above or below them. Which of the two changes came first is not known. */
  readonly unclear: Set<string>
}

/**
 * A change of one file, and how many steps had been made before it. Consecutive changes of a user count as one change, or as none if they
 * cancel out.
 */
interface Touch {
  readonly by: 'step' | 'person' | 'undo'
  readonly step: number
  readonly before: Entry
  readonly after: Entry
}

function noteTouches(by: Touch['by'], before: Files, now: Files, { touches, after }: Played): void {
  for (const [path, is] of Object.entries(now)) {
    const was = before[path] ?? null
    if (was === is) continue
    const own = touches.get(path) ?? []
    const last = by === 'person' && own.at(-1)?.by === 'person' ? own.pop() : undefined
    const touch = { by, step: after.length - 1, before: last ? last.before : was, after: is }
    if (touch.before !== touch.after) own.push(touch)
    touches.set(path, own)
  }
}

async function play(world: UndoWorld, acts: readonly Act[]): Promise<void> {
  const played: Played = { next: 0, before: [], after: [world.disk()], edited: new Map(), touches: new Map(), unclear: new Set() }
  for (const one of acts) {
    if (one.kind === 'undo') await undo(world, one, played)
    else if (one.kind === 'step') await step(world, one, played)
    else {
      const before = world.disk()
      editAll(world, changed(before, one.changes, played), played)
      noteTouches('person', before, world.disk(), played)
    }
    expect(world.litter()).toEqual([])
  }
}

/**
 * Runs one step. A change that a user makes while a real command runs cannot be told apart from the command's own changes, so both are
 * undone together.
 */
async function step(world: UndoWorld, { changes: wanted, way, meanwhile }: Extract<Act, { kind: 'step' }>, played: Played): Promise<void> {
  const disk = world.disk()
  const own = meanwhile && !wanted.some(({ path }) => isRelated(path, meanwhile.path)) ? changed(disk, [meanwhile], played) : {}
  const files = changed(disk, wanted, played)
  // An edit tool only writes and deletes files. It creates no links and never replaces a folder.
  const paths = Object.keys(files)
  const isPlain =
    paths.every((path) => isToolChange(disk, path, files[path] ?? null)) &&
    paths.every((path) => paths.every((other) => path === other || !isRelated(path, other)))
  const by = way.by === 'tool' && !isPlain ? 'command' : way.by
  let before = disk
  await world.step(files, { ...way, by }, () => {
    editAll(world, own, played, by === 'command')
    if (by === 'command') return
    before = world.disk()
    noteTouches('person', disk, before, played)
  })
  played.before.push(before)
  played.after.push(world.disk())
  noteTouches('step', before, world.disk(), played)
}

function isToolChange(disk: Files, path: string, entry: Entry): boolean {
  const isPlain = (at: Entry): boolean => at === null || (at !== FOLDER && !isLink(at) && !isExecutable(at))
  const above = Object.keys(disk).filter((other) => path.startsWith(`${other}/`))
  return isPlain(entry) && isPlain(disk[path] ?? null) && above.every((other) => (disk[other] ?? null) === null || disk[other] === FOLDER)
}

function editAll(world: UndoWorld, files: Files, { after, edited }: Played, asAgent = false): void {
  for (const [path, content] of Object.entries(files)) {
    world.edit(path, content)
    if (asAgent) continue
    for (const place of world.paths) if (isRelated(place, path)) edited.set(place, after.length - 1)
  }
}

function changed(disk: Files, wanted: readonly Change[], played: Played): Files {
  const files: Record<string, Entry> = {}
  for (const { path, slot } of wanted) {
    const now = (path in files ? files[path] : disk[path]) ?? null
    files[path] = entryWith(now, slot, played)
  }
  return files
}

function entryWith(now: Entry, slot: Change['slot'], played: Played): Entry {
  const text = now === null || now === FOLDER || isLink(now) ? null : textOf(now)
  const next = (): string => `value ${played.next++}`
  switch (slot) {
    case 'delete':
      return null
    case 'folder':
      return FOLDER
    case 'link':
      return linkTo(`nowhere/${next()}`)
    case 'executable':
      return executable(text ?? withSlot(null, 0, next()))
    default: {
      const written = withSlot(text, slot, next())
      return isExecutable(now) ? executable(written) : written
    }
  }
}

function withSlot(content: string | null, slot: number, value: string): string {
  const slots = content === null ? Array.from({ length: SLOTS }, (_, index) => `empty ${index}`) : slotsOf(content)
  return slots.map((old, index) => `${index === slot ? value : old}\nfirst after ${index}\nsecond after ${index}\n`).join('')
}

const slotsOf = (content: string): readonly string[] =>
  content.split('\n').filter((_, index, all) => index % 3 === 0 && index < all.length - 1)

async function undo(world: UndoWorld, asked: Extract<Act, { kind: 'undo' }>, played: Played): Promise<void> {
  const target = targetOf(world, asked, played)
  if (target === null) return
  const before = world.disk()
  const preview = await world.undo().preview(target)
  expect(world.disk()).toEqual(before)
  const anyway = asked.anyway ? preview.skipped.map(({ path }) => path) : []
  const choices = preview.conflicts.map(({ path, regions }) => ({
    path,
    choices: Array.from({ length: Math.max(1, regions.length) }, () => asked.choice),
  }))
  const disturbance = disturbanceOf(world, asked, played)
  const { died, happened, value } = await world.disturbed(disturbance, (undone) =>
    undone.run(world.record(), { target, plan: preview.plan, anyway, choices }),
  )
  const now = world.disk()
  const meanwhile = happened && typeof disturbance?.what === 'object' ? disturbance.what : null
  if (meanwhile) for (const place of world.paths) if (isRelated(place, meanwhile.path)) played.edited.set(place, played.after.length - 1)
  if (!died && value?.kind !== 'done') {
    expect([value?.kind, now]).toEqual(['refused', before])
    return
  }
  checkFiles(world, { before, now, meanwhile })
  if (meanwhile) for (const place of world.paths) if (isRelated(place, meanwhile.path)) played.unclear.add(place)
  if (target.kind === 'to' && !asked.anyway) checkPersons({ before, now }, target.step, played)
  noteTouches('undo', before, now, played)
  if (target.kind === 'to' && !meanwhile) checkPoint(world, { target, now }, played)
  if (target.kind === 'step' && !happened) checkMerge(preview, target.step, { before, now }, played)
}

function targetOf(world: UndoWorld, { what, which }: Extract<Act, { kind: 'undo' }>, { after }: Played): UndoTarget | null {
  const steps = after.length - 1
  if (what === 'to') return { kind: 'to', step: which % (steps + 1) }
  if (what === 'step') return steps === 0 ? null : { kind: 'step', step: (which % steps) + 1 }
  const newest = world.record().state().rollbacks.at(-1)
  return newest ? { kind: 'rollback', rollbackId: newest.rollbackId } : null
}

function disturbanceOf(world: UndoWorld, { disturbance }: Extract<Act, { kind: 'undo' }>, played: Played): Disturbance | null {
  if (disturbance === null) return null
  const { at, what } = disturbance
  if (typeof what === 'string') return { at, what }
  const content = changed(world.disk(), [what], played)[what.path] ?? null
  return { at, what: { path: what.path, content } }
}

interface Undone {
  readonly before: Files
  readonly now: Files
  /** The change that the user made during the undo. */
  readonly meanwhile: { readonly path: string; readonly content: Entry } | null
}

/**
 * Checks that every file in the undo's report is exactly as reported, that every other file is unchanged, and that all replaced content is
 * kept.
 */
function checkFiles(world: UndoWorld, { before, now, meanwhile }: Undone): void {
  const ended = [...world.record().read()].findLast(({ event: { kind } }) => kind === 'ROLLED_BACK')?.event
  if (ended?.kind !== 'ROLLED_BACK') throw new Error('The undo has no end.')
  for (const path of world.paths) {
    const was = before[path] ?? null
    const is = now[path] ?? null
    const isOwn = meanwhile?.path === path && is === meanwhile.content
    // Paths above or below the path that the user changed may have changed with it.
    if (meanwhile && meanwhile.path !== path && isRelated(path, meanwhile.path)) continue
    if (is !== was && !isOwn) expectKept(world, path, was)
    if (meanwhile?.path !== path) expectReported(ended, path, was, is)
    // The user's content is either still at this path, or an undo replaced it after storing it.
    else if (!isOwn) expectKept(world, path, meanwhile.content)
  }
}

function expectKept(world: UndoWorld, path: string, entry: Entry): void {
  const text = textOf(entry)
  if (text !== null) expect([path, world.has(text)]).toEqual([path, true])
}

/** Checks that a path is as the undo's report says. A path that is not in the report must be unchanged. */
function expectReported({ files, folders = [] }: Rollback, path: string, was: Entry, is: Entry): void {
  const file = files.find(({ shown }) => shown === path)
  const folder = folders.findLast(({ shown }) => shown === path)
  if (!file?.after) {
    const meant = folder ? (folder.after === null ? null : FOLDER) : file ? null : was
    return expect([path, is]).toEqual([path, meant])
  }
  const text = textOf(is)
  expect([path, text === null ? null : hashOf(text), isLink(is)]).toEqual([path, file.after, file.afterKind === 'link'])
  if (!isLink(is)) expect([path, isExecutable(is)]).toEqual([path, ((file.afterMode ?? 0) & 0o100) !== 0])
}

interface Point {
  readonly target: Extract<UndoTarget, { kind: 'to' }>
  readonly now: Files
}

/** Checks every path that only the agent has changed since this point: what is at the path must be the same as at that point. */
function checkPoint(world: UndoWorld, { target, now }: Point, { after, edited }: Played): void {
  const files = after[target.step] ?? {}
  for (const path of world.paths) {
    const newest = edited.get(path)
    if (newest === undefined || newest < target.step) expect([path, now[path]]).toEqual([path, files[path]])
  }
}

/** Whether a user changed a file or a link. A folder does not count: it has no content of its own that an undo could lose. */
const isPersonsFile = ({ by, before, after }: Touch): boolean => by === 'person' && before !== FOLDER && after !== FOLDER

/** Whether the change creates or removes a folder. A file at the same path has its own history. */
const isOfFolder = ({ before, after }: Touch): boolean => (before ?? FOLDER) === FOLDER && (after ?? FOLDER) === FOLDER

/** Checks that an undo without `anyway` does not change a file that a user changed after the first undone change. */
function checkPersons(
  { before, now }: { readonly before: Files; readonly now: Files },
  step: number,
  { touches, unclear, before: old }: Played,
): void {
  for (const [path, all] of touches) {
    const goesBack = ({ by, step: at }: Touch): boolean => (by === 'step' && at > step) || (by === 'undo' && at >= step)
    const first = all.findIndex((touch) => goesBack(touch) && !isOfFolder(touch))
    if (first === -1 || unclear.has(path) || before[path] === FOLDER) continue
    if (!all.slice(first).some(isPersonsFile)) continue
    // A folder may come back if the agent or an undo had replaced it with a file or a link and the user then deleted that file or link.
    const wasReplaced = all.slice(first).some((touch) => touch.by !== 'person' && touch.before === FOLDER)
    const wasFolder = wasReplaced || old.slice(step).some((files) => files[path] === FOLDER)
    const isFolderAgain = (before[path] ?? null) === null && now[path] === FOLDER && wasFolder
    if (!isFolderAgain) expect([path, now[path]]).toEqual([path, before[path]])
  }
}

/** Checks a merged file: each place that only the step changed is as before the step, and every other place is unchanged by the undo. */
function checkMerge(preview: UndoPreview, step: number, { before, now }: Pick<Undone, 'before' | 'now'>, played: Played): void {
  for (const { change: made, merged } of preview.files) {
    const [old, left, was, is] = [played.before[step - 1], played.after[step], before, now].map((files) =>
      textOf(files?.[made.shown] ?? null),
    )
    if (!merged || typeof old !== 'string' || typeof left !== 'string' || typeof was !== 'string' || typeof is !== 'string') continue
    const slots = (content: string, index: number): string | undefined => slotsOf(content)[index]
    const meant = slotsOf(was).map((value, index) => (value === slots(left, index) ? slots(old, index) : value))
    expect([made.shown, slotsOf(is)]).toEqual([made.shown, meant])
  }
}

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex')
