import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TEST = join(import.meta.dirname, '..')

/**
 * Returns the ids in titles of tests and in the rows of tables that become titles. `P2-14…P2-16` counts as three ids. `form`: the pattern
 * of an id.
 */
export function citedIds(form: RegExp): ReadonlySet<string> {
  return new Set(citingFiles(form).keys())
}

/** Returns the test files that cite each id, as sorted paths below `test/` with forward slashes. */
export function citingFiles(form: RegExp): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  const citing = new Map<string, string[]>()
  for (const path of files.filter((file) => IS_TEST.test(file)).toSorted())
    for (const id of new Set(idsIn(readFileSync(join(TEST, path), 'utf8'), form))) citing.set(id, [...(citing.get(id) ?? []), path])
  return citing
}

/** Suites in `conformance/` count as test files too, because other test files run them. */
const IS_TEST = /\.(test|spec)\.tsx?$|^conformance\/.*\.ts$/

const LITERAL = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
const COMMENT = /^\s*(?:\/\/|\/?\*)/

function idsIn(source: string, form: RegExp): readonly string[] {
  const code = source
    .split('\n')
    .filter((line) => !COMMENT.test(line))
    .join('\n')
  return [...code.matchAll(LITERAL)].flatMap(([literal]) => idsOf(literal, form))
}

function idsOf(title: string, form: RegExp): readonly string[] {
  const spans = [...title.matchAll(/\b([A-Z]+\d?-)(\d+)…(?:\1)?(\d+)/g)].flatMap(([, kind = '', first = '', last = '']) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => kind + String(Number(first) + at).padStart(first.length, '0')),
  )
  return [...spans.filter((id) => form.test(id)), ...(title.match(new RegExp(form, 'g')) ?? [])]
}
