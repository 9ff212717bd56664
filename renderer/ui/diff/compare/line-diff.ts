/** A run of lines that differs: `before[beforeStart, beforeEnd)` becomes `after[afterStart, afterEnd)`. Zero-based, ends excluded. */
export interface LineChange {
  readonly beforeStart: number
  readonly beforeEnd: number
  readonly afterStart: number
  readonly afterEnd: number
}

/** Two runs that are compared with each other. */
interface Box {
  readonly a0: number
  readonly a1: number
  readonly b0: number
  readonly b1: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/** A diagonal on which no point within the box has been reached. */
const NONE = -1

/** Comparisons of two lines in one diff before what is left is taken as replaced whole: well under a second of a worker's time. */
const MAX_STEPS = 30_000_000

/**
 * The fewest lines that must go and come, so that its counts are those of every exact diff (Myers, linear space). What begins and ends
 * alike is left out first, then lines that only one side has. Above its bound the rest is replaced whole: right, though coarse.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const ids = new Map<string, number>()
  const idOf = (line: string): number => {
    const known = ids.get(line)
    if (known !== undefined) return known
    ids.set(line, ids.size)
    return ids.size - 1
  }
  const [a, b] = [Int32Array.from(before, idOf), Int32Array.from(after, idOf)]
  const whole = withoutSharedEnds(a, b, { a0: 0, a1: a.length, b0: 0, b1: b.length })
  const [goes, comes] = [new Uint8Array(a.length), new Uint8Array(b.length)]
  const [keptA, keptB] = [
    inBoth(a, b, whole.a0, whole.a1, whole.b0, whole.b1, goes),
    inBoth(b, a, whole.b0, whole.b1, whole.a0, whole.a1, comes),
  ]
  new Comparison(keptA, keptB, goes, comes).run()
  return changesOf(goes, comes)
}

function withoutSharedEnds(a: Int32Array, b: Int32Array, box: Box): Box {
  let { a0, a1, b0, b1 } = box
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) {
    a0++
    b0++
  }
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) {
    a1--
    b1--
  }
  return { a0, a1, b0, b1 }
}

/** Lines of `own` that the other side has too, each with its place; the others are marked as changed at once. */
interface Lines {
  readonly ids: Int32Array
  readonly places: Int32Array
}

function inBoth(
  own: Int32Array,
  other: Int32Array,
  from: number,
  to: number,
  otherFrom: number,
  otherTo: number,
  changed: Uint8Array,
): Lines {
  const there = new Set(other.subarray(otherFrom, otherTo))
  const ids: number[] = []
  const places: number[] = []
  for (let at = from; at < to; at++) {
    const id = own[at] ?? 0
    if (there.has(id)) {
      ids.push(id)
      places.push(at)
    } else changed[at] = 1
  }
  return { ids: Int32Array.from(ids), places: Int32Array.from(places) }
}

class Comparison {
  readonly #a: Int32Array
  readonly #b: Int32Array
  readonly #placesA: Int32Array
  readonly #placesB: Int32Array
  readonly #goes: Uint8Array
  readonly #comes: Uint8Array
  /** Furthest x on each diagonal, from the top left and from the bottom right. */
  readonly #down: Int32Array
  readonly #up: Int32Array
  readonly #middle: number
  #steps = 0

  constructor(a: Lines, b: Lines, goes: Uint8Array, comes: Uint8Array) {
    this.#a = a.ids
    this.#b = b.ids
    this.#placesA = a.places
    this.#placesB = b.places
    this.#goes = goes
    this.#comes = comes
    this.#middle = Math.ceil((a.ids.length + b.ids.length) / 2) + 1
    this.#down = new Int32Array(2 * this.#middle + 1)
    this.#up = new Int32Array(2 * this.#middle + 1)
  }

  /** Marks what goes and what comes. A stack instead of recursion: a file of a million lines is no reason to fail. */
  run(): void {
    const boxes: Box[] = [{ a0: 0, a1: this.#a.length, b0: 0, b1: this.#b.length }]
    for (let box = boxes.pop(); box; box = boxes.pop()) {
      const { a0, a1, b0, b1 } = withoutSharedEnds(this.#a, this.#b, box)
      if (a0 === a1 || b0 === b1) {
        this.#replace({ a0, a1, b0, b1 })
        continue
      }
      const split = this.#split({ a0, a1, b0, b1 })
      if (split) boxes.push({ a0: split.x, a1, b0: split.y, b1 }, { a0, a1: split.x, b0, b1: split.y })
      else this.#replace({ a0, a1, b0, b1 })
    }
  }

  #replace({ a0, a1, b0, b1 }: Box): void {
    for (let at = a0; at < a1; at++) this.#goes[this.#placesA[at] ?? 0] = 1
    for (let at = b0; at < b1; at++) this.#comes[this.#placesB[at] ?? 0] = 1
  }

  /** A point that lies on a shortest way through the box, found from both ends at once; null above the bound. */
  #split(box: Box): Point | null {
    const { a0, a1, b0, b1 } = box
    const delta = a1 - a0 - (b1 - b0)
    const most = Math.ceil((a1 - a0 + (b1 - b0)) / 2)
    for (let edits = 0; edits <= most; edits++) {
      if (this.#steps > MAX_STEPS) return null
      for (const furthest of [this.#down, this.#up]) {
        furthest[this.#middle - edits - 1] = NONE
        furthest[this.#middle + edits + 1] = NONE
      }
      const met = this.#forward(box, edits, delta) ?? this.#backward(box, edits, delta)
      if (met) return met
    }
    return null
  }

  /** Diagonals are counted from that of the top left corner. */
  #forward({ a0, a1, b0, b1 }: Box, edits: number, delta: number): Point | null {
    for (let k = -edits; k <= edits; k += 2) {
      const [left, above] = [this.#furthest(this.#down, k - 1), this.#furthest(this.#down, k + 1)]
      const right = left === NONE || left === a1 ? NONE : left + 1
      const below = above === NONE || b0 + (above - a0) - k > b1 ? NONE : above
      let x = edits === 0 ? a0 : Math.max(right, below)
      this.#down[this.#middle + k] = x
      if (x === NONE) continue
      let y = b0 + (x - a0) - k
      const from = x
      while (x < a1 && y < b1 && this.#a[x] === this.#b[y]) {
        x++
        y++
      }
      this.#steps += x - from + 1
      this.#down[this.#middle + k] = x
      const opposite = k - delta
      if (delta % 2 === 0 || Math.abs(opposite) >= edits) continue
      const other = this.#furthest(this.#up, opposite)
      if (other !== NONE && x >= other) return { x, y }
    }
    return null
  }

  /** Diagonals are counted from that of the bottom right corner. */
  #backward({ a0, a1, b0, b1 }: Box, edits: number, delta: number): Point | null {
    for (let k = -edits; k <= edits; k += 2) {
      const [below, right] = [this.#furthest(this.#up, k - 1), this.#furthest(this.#up, k + 1)]
      const left = right === NONE || right === a0 ? NONE : right - 1
      const above = below === NONE || b1 + (below - a1) - k < b0 ? NONE : below
      let x = edits === 0 ? a1 : left === NONE || above === NONE ? Math.max(left, above) : Math.min(left, above)
      this.#up[this.#middle + k] = x
      if (x === NONE) continue
      let y = b1 + (x - a1) - k
      const from = x
      while (x > a0 && y > b0 && this.#a[x - 1] === this.#b[y - 1]) {
        x--
        y--
      }
      this.#steps += from - x + 1
      this.#up[this.#middle + k] = x
      const opposite = k + delta
      if (delta % 2 !== 0 || Math.abs(opposite) > edits) continue
      const other = this.#furthest(this.#down, opposite)
      if (other !== NONE && x <= other) return { x, y }
    }
    return null
  }

  #furthest(furthest: Int32Array, diagonal: number): number {
    return furthest[this.#middle + diagonal] ?? NONE
  }
}

function changesOf(goes: Uint8Array, comes: Uint8Array): readonly LineChange[] {
  const changes: LineChange[] = []
  let [at, other] = [0, 0]
  while (at < goes.length || other < comes.length) {
    const [beforeStart, afterStart] = [at, other]
    while (goes[at] === 1) at++
    while (comes[other] === 1) other++
    if (at > beforeStart || other > afterStart) changes.push({ beforeStart, beforeEnd: at, afterStart, afterEnd: other })
    else {
      at++
      other++
    }
  }
  return changes
}
