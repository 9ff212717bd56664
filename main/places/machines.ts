import { glob, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { placeKey } from '../../shared/places/address.ts'
import type { Machine } from '../../shared/places/places-api.ts'
import { containerPrograms, outputOf } from './programs.ts'

/** Maximum number of listed machines of each kind. */
const MAX = 100
/** Maximum depth of nested `Include` lines. */
const MAX_DEPTH = 4

/** The hosts in the user's ssh configuration and the running containers. Files that cannot be read are skipped. */
export async function knownMachines(sshConfig: string | null): Promise<readonly Machine[]> {
  const [hosts, containers] = await Promise.all([hostsIn(sshConfig ?? join(homedir(), '.ssh', 'config'), MAX_DEPTH), runningContainers()])
  const ssh = [...new Set(hosts)].slice(0, MAX).map((host): Machine => {
    return { place: placeKey({ kind: 'ssh', host, port: null }), kind: 'ssh', name: host, note: null }
  })
  const running = containers.slice(0, MAX).map(({ name, image }): Machine => {
    return { place: placeKey({ kind: 'container', name }), kind: 'container', name, note: image }
  })
  return [...ssh, ...running]
}

/** The names in `Host` lines, without patterns. */
async function hostsIn(file: string, depth: number): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const found: string[] = []
  for (const line of text.split('\n')) {
    const [, word = '', rest = ''] = /^\s*(host|include)(?:\s+|\s*=\s*)(.+?)\s*$/iu.exec(line) ?? []
    const names = rest.split(/\s+/u).map((name) => name.replaceAll('"', ''))
    if (word.toLowerCase() === 'host') found.push(...names.filter((name) => /^[\w.@-]+$/u.test(name) && !name.startsWith('-')))
    if (word.toLowerCase() !== 'include' || depth === 0) continue
    for (const name of names) {
      const pattern = name.startsWith('~/') ? join(homedir(), name.slice(2)) : isAbsolute(name) ? name : join(dirname(file), name)
      for await (const included of glob(pattern)) found.push(...(await hostsIn(included, depth - 1)))
    }
  }
  return found
}

async function runningContainers(): Promise<readonly { readonly name: string; readonly image: string }[]> {
  const texts = await Promise.all(containerPrograms().map((program) => outputOf(program, ['ps', '--format', '{{.Names}}\t{{.Image}}'])))
  return texts
    .join('\n')
    .split('\n')
    .flatMap((line) => {
      const [name = '', image = ''] = line.split('\t')
      return /^[A-Za-z0-9][\w.-]*$/u.test(name) ? [{ name, image }] : []
    })
}
