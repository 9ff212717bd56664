import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ListeningPort } from '../../agent/ports/opened-program.ts'

/** The state LISTEN in `/proc/net/tcp`. */
const LISTEN = '0A'
/** The columns of `/proc/net/tcp`: the local address, the state, and the inode of the socket. */
const COLUMNS = { address: 1, state: 3, inode: 9 } as const

/** The ports on which these processes listen in the network of this process, by number. Empty on systems without `/proc/net`. */
export async function listeningPorts(pids: readonly number[]): Promise<readonly ListeningPort[]> {
  const sockets = new Map([...(await socketsIn('tcp')), ...(await socketsIn('tcp6'))])
  if (sockets.size === 0) return []
  const found = new Map<number, string>()
  for (const pid of pids)
    for (const inode of inodesOf(pid)) {
      const port = sockets.get(inode)
      if (port !== undefined && !found.has(port)) found.set(port, nameOf(pid))
    }
  return [...found].map(([port, program]) => ({ port, program })).toSorted((a, b) => a.port - b.port)
}

/** The listening sockets: the port of each inode. */
async function socketsIn(table: 'tcp' | 'tcp6'): Promise<readonly (readonly [string, number])[]> {
  const text = await readFile(`/proc/self/net/${table}`, 'latin1').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/u)
    const inode = words[COLUMNS.inode]
    if (words[COLUMNS.state] !== LISTEN || inode === undefined) return []
    return [[inode, Number.parseInt(words[COLUMNS.address]?.split(':')[1] ?? '', 16)] as const]
  })
}

/** The inodes of the sockets that a process has open. Empty if it has ended. */
function inodesOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).flatMap((name) => /^socket:\[(\d+)\]$/u.exec(targetOf(`${folder}/${name}`))?.[1] ?? [])
  } catch {
    return []
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}
