import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type SandboxUse, sandboxUse } from '../../compose/sandbox-use.ts'
import { type DeepLink, isDeepLink, parseDeepLink } from './deep-link.ts'

export interface DesktopFlags {
  readonly folder: string | null
  readonly data: string | null
  /** Null if the value is not valid. */
  readonly sandbox: SandboxUse | null
  /** What a link requests. Null if there is no link or it is not valid. */
  readonly link: DeepLink | null
}

const NONE: DesktopFlags = { folder: null, data: null, sandbox: 'auto', link: null }

/**
 * Reads the app's arguments. If there is a link among them, only the link counts, because whoever made it may also have chosen the other
 * arguments. A folder can be given without a flag, as terminals and file managers do. Unknown arguments are ignored, because Electron and
 * the system add some.
 */
export function desktopFlags(argv: readonly string[], here: string): DesktopFlags {
  const links = argv.filter(isDeepLink)
  if (links.length > 0) return { ...NONE, link: links.length === 1 ? parseDeepLink(links[0] ?? '') : null }
  const folder = valueOf(argv, '--folder') ?? plainFolder(argv)
  const data = valueOf(argv, '--data')
  return {
    folder: folder === null ? null : resolve(here, folder),
    data: data === null ? null : resolve(here, data),
    sandbox: sandboxUse(valueOf(argv, '--sandbox') ?? undefined),
    link: null,
  }
}

/** The first argument that is neither a flag nor the value of a flag. File managers pass a `file:` address. */
function plainFolder(argv: readonly string[]): string | null {
  const word = argv.find((one, at) => one !== '' && !one.startsWith('-') && !WITH_VALUE.has(argv[at - 1] ?? ''))
  if (word === undefined || !word.startsWith('file:')) return word ?? null
  try {
    return fileURLToPath(word)
  } catch {
    // The URL names another computer.
    return null
  }
}

const WITH_VALUE: ReadonlySet<string> = new Set(['--folder', '--data', '--sandbox'])

function valueOf(argv: readonly string[], name: string): string | null {
  const joined = argv.find((word) => word.startsWith(`${name}=`))
  const value = joined === undefined ? argv[argv.indexOf(name) + 1] : joined.slice(name.length + 1)
  return (joined !== undefined || argv.includes(name)) && value !== undefined && value !== '' && !value.startsWith('--') ? value : null
}
