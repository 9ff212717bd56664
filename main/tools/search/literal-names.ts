import { join } from 'node:path'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { existingPath, hasTwoForms } from '../define/existing-name.ts'

/**
 * A glob in which names come before patterns. If the first names of the glob exist below `folder` as they are written, they are meant, in
 * whatever Unicode form they exist. In the rest, braces without alternatives, such as those of `{{cookiecutter.name}}` or `{id}`, also
 * match themselves, and letters match in both Unicode forms.
 */
export async function withLiteralNames(
  pattern: string,
  folder: string,
  env: Pick<ExecutionEnvironment, 'lstat' | 'listDirectory'>,
): Promise<string> {
  const names = pattern.split('/')
  const literal: string[] = []
  let place = folder
  for (const name of names) {
    // A name that contains a star or a question mark matches itself as a pattern too.
    if (/[*?]/u.test(name)) break
    const needsLookup = /[{}]/u.test(name) || hasTwoForms(name)
    const path = needsLookup ? await existingPath(env, join(place, name)) : join(place, name)
    if (needsLookup && (await env.lstat(path).catch(() => null)) === null) break
    literal.push(needsLookup ? escaped(path.slice(join(place, '/').length)) : name)
    place = path
  }
  const rest = names.slice(literal.length).join('/')
  return [...literal, ...(literal.length < names.length ? [inBothForms(withOwnBraces(rest))] : [])].join('/')
}

function escaped(name: string): string {
  return name.replaceAll(/[{}[\]()!@+,\\]/gu, String.raw`\$&`)
}

/** An escaped character, a class, or a brace without alternatives, which may contain another one. */
const BRACE = /\\[^]|\[[^\]/]*\]|\{(?:[^{},/*\\]|\{[^{},/*\\]*\})*\}/gu
const RANGE = /^\{[^{}]+\.\.[^{}]+\}$/u

function withOwnBraces(glob: string): string {
  return glob.replaceAll(BRACE, (text) => {
    if (!text.startsWith('{') || RANGE.test(text)) return text
    return text === '{}' ? escaped(text) : `{${text.slice(1, -1)},${escaped(text)}}`
  })
}

/** An escaped character, a class, or characters that stand for themselves. */
const CHARACTERS = /\\[^]|\[[^\]/]*\]|[^\\*?[\]{}()!,/]+/gu

function inBothForms(glob: string): string {
  return glob.replaceAll(CHARACTERS, (text) => {
    if (/^[\\[]/u.test(text) || !hasTwoForms(text)) return text
    return `{${[...new Set([text, text.normalize('NFC'), text.normalize('NFD')])].join(',')}}`
  })
}
