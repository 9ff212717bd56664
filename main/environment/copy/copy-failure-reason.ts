import { readFile } from 'node:fs/promises'
import type { SecondTry } from '../../agent/ports/command-copies.ts'
import type { ExecResult } from '../../agent/ports/execution-environment.ts'

/** A commit that fails in a copy. What the command wrote before belongs to the commit. */
const COMMITS: readonly (readonly [RegExp, string])[] = [
  [
    /gpg failed to sign the data|gpg: signing failed|Couldn't find key in agent/iu,
    'The command signs with a key, but keys are hidden in a copy.',
  ],
  [/\.git(?:\/[^\s'"]+)?'?: Read-only file system/u, 'Git’s data is outside the folder, where a command in a copy cannot write.'],
]

/**
 * Pairs of a pattern and an explanation. If a failed command's output matches the pattern, the copy was the only reason for the failure.
 */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  ...COMMITS,
  [
    /Cannot connect to the Docker daemon|connect: .*docker\.sock|docker\.sock: no such file/iu,
    'The command needs the Docker socket, which cannot be reached from a copy.',
  ],
  [
    /Could not open a connection to your authentication agent|Permission denied \(publickey/iu,
    'The command needs your SSH keys, which are hidden in a copy.',
  ],
  [
    /\bEOVERFLOW\b|Value too large for defined data type|\[Errno 75\]|\(os error 75\)/u,
    'The command changes a file of another user, which is not possible in a copy.',
  ],
  [
    /Cannot connect to X server|cannot open display|Failed to connect to (?:the )?bus/iu,
    'The command needs the screen or a system service, which cannot be reached from a copy.',
  ],
]

/** What a program prints when it fails to rename a folder of the lower layer. */
const RENAMED = /\bEXDEV\b|[Ii]nvalid cross-device link|\[Errno 18\]|\(os error 18\)/u
/**
 * What `git clone` of a local repository prints. It compares a file with its new hard link, and the link to a file of the lower layer has
 * another inode. If hard links fail, it copies the file.
 */
const LINKED = /hardlink different from source/u
/** The same message in any language is recognized by exit code 128 and the path of an object of the clone. */
const NAMES_OBJECT = /^[^\n:：]+[:：][^\n]*\/objects\/(?:pack\/(?:pack|tmp)|[0-9a-f]{2}\/)[^\n]*$/mu
const GIT_FAILED = 128

/** Messages about a refused connection to this machine, from programs that print the port. The first group is the port. */
const REFUSED = /ECONNREFUSED|connection refused|\(111\)|failed to connect|couldn['’]t connect|could not connect/iu
const LOCAL_PORT = /(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[?::1\]?)['")\]]*(?: \(127\.0\.0\.1\))?(?::|\/|,? port[ =]+)(\d{1,5})\b/giu

/** Messages about a host that could not be reached without the proxy. The first group is the host. */
const HOSTS: readonly RegExp[] = [
  /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w.-]+)/u,
  /connect E(?:NETUNREACH|HOSTUNREACH) ([\w.:]+):\d+/u,
  /could not resolve host(?:name)?:? ['"‘]?([\w.-]+)/iu,
  /unable to resolve host address ['"‘`]?([\w.-]+)/iu,
  /could not translate host name "([\w.-]+)"/iu,
  /(?:failure resolving|failed to resolve) '([\w.-]+)'/iu,
  /\blookup ([\w-]+(?:\.[\w-]+)+)(?: on [\w.:[\]]+)?: /u,
  // The pattern begins at the start of a word, because a search from each character of a long word would take seconds.
  /(?<![\w.-])([\w-]+(?:\.[\w-]+)+): (?:Temporary failure in name resolution|Name or service not known)/u,
]
const UNNAMED_HOST = /Network is unreachable|Temporary failure in name resolution|dns error: failed to lookup/iu

export interface CopyFailureReason {
  /** A sentence about why the copy made the command fail. Null if the command did not fail, or if the copy was not the reason. */
  readonly unfit: string | null
  readonly secondTry: SecondTry | null
  /** Whether what the command did before it failed is worth nothing without the rest, so that it is not kept. */
  readonly isHalf?: boolean
}

const FIT: CopyFailureReason = { unfit: null, secondTry: null }

export interface Ended {
  readonly result: Pick<ExecResult, 'exitCode' | 'timedOut' | 'aborted' | 'stdout' | 'stderr'>
  /**
   * Hosts that the proxy refused. The user or a rule has already decided about them, so they are no reason to run again outside the copy.
   */
  readonly blocked: readonly { readonly host: string }[]
  /** Ports of this machine that the command could reach. */
  readonly localPorts: readonly number[]
  /** How to install what a copy needs to reach the proxy or a port of this machine. Null if nothing is missing. */
  readonly wayToForward: string | null
  /** Whether the folder's files were put into the copy before the command started, so that folders could be renamed. */
  readonly isFilled: boolean
  /** Whether hard links could be created in the copy. */
  readonly hasHardLinks: boolean
}

/**
 * Returns why the copy made a command fail, as far as the command's output shows, and whether a second try with another kind of copy can
 * help.
 */
export async function copyFailureReason(
  { result, blocked, localPorts, wayToForward, isFilled, hasHardLinks }: Ended,
  isListening: (port: number) => Promise<boolean> = listensHere,
): Promise<CopyFailureReason> {
  const { exitCode, timedOut, aborted, stdout, stderr } = result
  if (exitCode === 0 || timedOut || aborted) return FIT
  const end = `${stdout.slice(-4000)}\n${stderr.slice(-4000)}`
  const sign = SIGNS.find(([pattern]) => pattern.test(end))
  if (sign) return { unfit: sign[1], secondTry: null, ...(COMMITS.includes(sign) && { isHalf: true }) }
  if (RENAMED.test(end))
    return isFilled
      ? { unfit: 'The command renames a folder, which is not possible in a copy.', secondTry: null }
      : { unfit: null, secondTry: { kind: 'filled' } }
  const isByGit = exitCode === GIT_FAILED && NAMES_OBJECT.test(end)
  if (LINKED.test(end) || (isByGit && hasHardLinks))
    return hasHardLinks
      ? { unfit: null, secondTry: { kind: 'without-hard-links' } }
      : { unfit: 'The command compares a file with a hard link to it, and in a copy they differ.', secondTry: null }
  for (const port of refusedPorts(end)) {
    // If nothing listens on the port, the command would fail outside too.
    if (localPorts.includes(port) || !(await isListening(port))) continue
    if (wayToForward === null) return { unfit: null, secondTry: { kind: 'local-port', port } }
    return {
      unfit: `The command needs localhost:${port}, which cannot be reached from a copy without socat. ${wayToForward}`,
      secondTry: null,
    }
  }
  // Names under `.invalid` (tests use them) never exist, so the command would fail outside the copy too.
  const host = HOSTS.map((pattern) => pattern.exec(end)?.[1]).find((found) => found !== undefined && !found.endsWith('.invalid'))
  if (host !== undefined && wayToForward !== null)
    return { unfit: `The command did not reach ${host}: without socat, a copy has no network. ${wayToForward}`, secondTry: null }
  if (host !== undefined)
    return blocked.some((one) => one.host === host)
      ? FIT
      : { unfit: `The command did not reach ${host}: a copy has no network, and the command did not use the proxy.`, secondTry: null }
  return UNNAMED_HOST.test(end) && blocked.length === 0
    ? { unfit: 'The command needs the network, but did not use the proxy of the copy.', secondTry: null }
    : FIT
}

function refusedPorts(text: string): readonly number[] {
  const lines = text.split('\n').filter((line) => REFUSED.test(line))
  return [...new Set(lines.flatMap((line) => [...line.matchAll(LOCAL_PORT)].map(([, port]) => Number(port))))]
}

/** An entry in the kernel's table: the local port in hex, the remote address, and the state "listen". */
const LISTENING = /:([\dA-F]{4}) [\dA-F]+:[\dA-F]{4} 0A /gu

/** Whether a program listens on this TCP port of the machine. Does not connect to it. */
async function listensHere(port: number): Promise<boolean> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  return tables.some((table) => [...table.matchAll(LISTENING)].some(([, found = '']) => Number.parseInt(found, 16) === port))
}
