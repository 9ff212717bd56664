import { basename, dirname, join } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'

/** Names offered at most, and entries of a folder looked at. */
const OFFERED = 3
const LOOKED_AT = 5000

/** What a missing path may have meant: names in its folder that are like it, best first, as full paths. Empty when the folder is missing too. */
export async function nearNames(env: ExecutionEnvironment, path: string): Promise<readonly string[]> {
  const folder = dirname(path)
  const wanted = basename(path).toLowerCase()
  const names = await env.listDirectory(folder).then(
    (entries) => entries.slice(0, LOOKED_AT).map((entry) => entry.name),
    () => [],
  )
  return names
    .map((name) => ({ name, far: distance(wanted, name.toLowerCase()) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.floor(wanted.length / 3)) || sameStem(wanted, name.toLowerCase()))
    .toSorted((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, OFFERED)
    .map(({ name }) => join(folder, name))
}

function sameStem(a: string, b: string): boolean {
  const stem = (name: string): string => name.replace(/(?<=.)\.[^.]*$/u, '')
  return stem(a) === stem(b)
}

/** Insertions, removals and changes of one character. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > a.length) return Infinity
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? Infinity
}
