/**
 * What a folder and the layers over it must contain, computed without any code of ours. A file is a list of cells, each of which is a line;
 * a fixed line follows each cell, so that two changed cells are never one change. A symbolic link is the cell of `linkTo`. Null: there is no
 * such file.
 */
export type Cells = readonly string[] | null
export type Files = Map<string, Cells>

export const CELLS = 5
export const PATHS = ['f0', 'f1', 'd/f2', 'n3'] as const

export interface Layer {
  readonly kind: 'overlay' | 'clone'
  /** The layer's own version of each file that it changed, by path, and the version it started from. Other files are the folder's. */
  readonly own: Files
  readonly base: Files
  /** Paths where the kernel decides whether the layer shows a new file of the folder. */
  readonly unsure: Set<string>
  /** Paths where the kernel decides whether a file that was deleted and written again is based on the folder's file. */
  readonly unsureBase: Set<string>
}

/** A part of the change set of a layer, as it is shown before it is signed. */
export interface Proposed {
  readonly path: string
  readonly base: Cells
  readonly own: Cells
  readonly now: Cells
  readonly merged: Cells
  readonly conflicts: readonly number[]
}

export const textOf = (cells: readonly string[]): string => cells.map((cell, at) => `${cell}\nafter ${at}\n`).join('')

export const cellsOf = (text: string | null): Cells => {
  if (text === null) return null
  const lines = text.split('\n').slice(0, -1)
  const cells = lines.filter((_, at) => at % 2 === 0)
  // A file in another form is shown as it is.
  return textOf(cells) === text ? cells : [text]
}

const LINK = 'link to '
export const linkTo = (target: string): readonly string[] => [LINK + target]
/** The target of a link. Null if it is none. */
export const targetOf = (cells: Cells): string | null => (cells?.[0]?.startsWith(LINK) ? cells[0].slice(LINK.length) : null)
const isLink = (cells: Cells): boolean => targetOf(cells) !== null

export const isSame = (a: Cells, b: Cells): boolean => a === b || (a !== null && b !== null && textOf(a) === textOf(b))

export function openLayer(kind: Layer['kind'], folder: Files): Layer {
  const all = (): Files => new Map(kind === 'clone' ? PATHS.map((path) => [path, folder.get(path) ?? null]) : [])
  return { kind, own: all(), base: all(), unsure: new Set(), unsureBase: new Set() }
}

export const copyLayer = ({ kind, own, base, unsure, unsureBase }: Layer): Layer => ({
  kind,
  own: new Map(own),
  base: new Map(base),
  unsure: new Set(unsure),
  unsureBase: new Set(unsureBase),
})

export const seen = ({ own }: Layer, folder: Files, path: string): Cells => (own.has(path) ? own : folder).get(path) ?? null

/** The session writes or deletes a file. `isCovered`: nothing of the folder shows through at the path any more. */
export function write(layer: Layer, folder: Files, path: string, cells: Cells, isCovered = false): void {
  const now = folder.get(path) ?? null
  if (!layer.base.has(path)) layer.base.set(path, now)
  if (layer.unsure.has(path) && cells !== null) layer.unsureBase.add(path)
  layer.own.set(path, cells)
  if (cells === null && now === null && layer.kind === 'overlay' && !isCovered) layer.unsure.add(path)
  else layer.unsure.delete(path)
}

/** What is the same in the layer and in the folder is based on this version. */
export function settle(layer: Layer, folder: Files): void {
  for (const [path, own] of layer.own) if (isSame(own, folder.get(path) ?? null)) layer.base.set(path, own)
}

/** `contained`: paths at which the folder already has all that the layer has changed. They are not shown. */
export interface Proposal {
  readonly asked: readonly Proposed[]
  readonly contained: readonly string[]
  readonly leftOut: readonly string[]
}

export function proposal(layer: Layer, folder: Files): Proposal {
  settle(layer, folder)
  const asked: Proposed[] = []
  const contained: string[] = []
  const leftOut: string[] = []
  for (const path of [...layer.own.keys()].toSorted()) {
    const [base, own, now] = [layer.base, layer.own, folder].map((files) => files.get(path) ?? null) as [Cells, Cells, Cells]
    if (isSame(base, own)) continue
    const merged = merge(base, own, now)
    if (merged === null) leftOut.push(path)
    else if (merged.conflicts.length > 0 || !isSame(merged.cells, now))
      asked.push({ path, base, own, now, merged: merged.cells, conflicts: merged.conflicts })
    else contained.push(path)
  }
  return { asked, contained, leftOut }
}

/** Three versions merged cell by cell. In a conflict, `now` is kept. Null if the files as wholes are in conflict. */
function merge(base: Cells, own: Cells, now: Cells): { readonly cells: Cells; readonly conflicts: readonly number[] } | null {
  if (isSame(base, now)) return { cells: own, conflicts: [] }
  if (base === null || own === null || now === null || [base, own, now].some(isLink)) return null
  const conflicts: number[] = []
  const cells = now.map((cell, at) => {
    if (own[at] === base[at] || own[at] === cell) return cell
    if (cell !== base[at]) conflicts.push(at)
    return cell === base[at] ? (own[at] ?? '') : cell
  })
  return { cells, conflicts }
}

/** Makes the change from `before` to `after` in `cells` too. Undefined if it does not fit. */
function sameChange(cells: Cells, before: Cells, after: Cells): Cells | undefined {
  if (isSame(cells, before)) return after
  if (cells === null || before === null || after === null || [cells, before, after].some(isLink)) return undefined
  const fits = cells.every((cell, at) => before[at] === after[at] || cell === before[at] || cell === after[at])
  return fits ? cells.map((cell, at) => (before[at] === after[at] ? cell : (after[at] ?? ''))) : undefined
}

/** All that was proposed was signed, or nothing had to be. */
export function signedWhole({ own, base }: Layer, contained: readonly string[]): void {
  for (const path of contained) base.set(path, own.get(path) ?? null)
}

/** The folder's file becomes `after`, which is all or a part of what was proposed. */
export function applied(layer: Layer, folder: Files, { path, own, base, now, merged, conflicts }: Proposed, after: Cells): void {
  folder.set(path, after)
  const isWhole = isSame(after, merged) && conflicts.length === 0
  const next = isWhole ? own : sameChange(base, now, after)
  if (next !== undefined) layer.base.set(path, next)
}

/** What was brought in is undone in the folder, and stays in the layer. False if later changes are in the way. */
export function undone(layer: Layer, folder: Files, path: string, before: Cells, after: Cells): boolean {
  const now = folder.get(path) ?? null
  const restored = sameChange(now, after, before)
  if (restored === undefined || (now !== null && !isSame(now, after) && (before === null || after === null))) return false
  const base = layer.base.get(path)
  const isChange = base !== undefined && !isSame(base, layer.own.get(path) ?? null)
  folder.set(path, restored)
  if (base === undefined) return true
  const next = sameChange(isChange ? base : (layer.own.get(path) ?? null), now, restored)
  if (next !== undefined) layer.base.set(path, next)
  return true
}

export function moved(layer: Layer, folder: Files): readonly string[] {
  return [...layer.base].flatMap(([path, base]) => (isSame(base, folder.get(path) ?? null) ? [] : [path])).toSorted()
}

/** The folder's changes are merged into the layer. */
export function takenOver(layer: Layer, folder: Files): void {
  for (const path of moved(layer, folder)) {
    const now = folder.get(path) ?? null
    const own = layer.own.get(path) ?? null
    const merged = isSame(own, now) ? { cells: own, conflicts: [] } : merge(layer.base.get(path) ?? null, now, own)
    if (merged === null) continue
    layer.own.set(path, merged.cells)
    if (layer.kind === 'overlay' && merged.cells === null && now === null) layer.unsure.add(path)
    else layer.unsure.delete(path)
    if (merged.conflicts.length === 0) layer.base.set(path, now)
  }
}
