import { wordList } from '../../../shared/lib/word-list.ts'
import { isInside } from '../../is-inside.ts'
import { posix } from 'node:path'

/** Places for temporary files: writing there counts as inside the folder. */
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev\/shm)\/./u
/** Devices that store nothing. Every other device is a disk, memory, or a channel to another process. */
const HARMLESS = /^\/dev\/(?:null|zero|full|stdout|stderr|tty|fd\/\d+)$/u

/**
 * Whether an absolute path without `.` and `..` is in a place for temporary files. If the workspace is in such a place too, the
 * workspace's siblings do not count.
 */
export function isTemporaryPlace(path: string, root: string): boolean {
  if (!TEMPORARY.test(path)) return false
  const beside = posix.dirname(root)
  return !(TEMPORARY.test(beside) && isInside(beside, path))
}

/** Expects a path without `.` and `..`. */
export const isHarmlessDevice = (path: string): boolean => HARMLESS.test(path)

/** Names of files that contain secrets, in lower case. A command that reads such a file needs a signature. */
const NAMES: ReadonlySet<string> = new Set(
  wordList(`
  .env .envrc .netrc .authinfo .npmrc .pypirc .git-credentials .htpasswd .pgpass .my.cnf .vault-token id_rsa id_dsa id_ecdsa
  id_ed25519 credentials credentials.json secrets.json secrets.yml secrets.yaml shadow gshadow sudoers master.passwd
`),
)
const ENDINGS = /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)$/u
const FOLDERS: ReadonlySet<string> = new Set(['.ssh', '.aws', '.azure', '.gnupg', '.kube', '.docker', 'private', 'sudoers.d'])

/** Whether a path, judged only by its text, is a file with secrets or is in a folder of such files. */
export function isSecret(path: string): boolean {
  const names = path.toLowerCase().split('/')
  const last = names.at(-1) ?? ''
  if (NAMES.has(last) || ENDINGS.test(last) || names.some((name) => FOLDERS.has(name))) return true
  if (last.startsWith('.env.')) return !/\.(?:example|sample|template|dist)$/u.test(last)
  return names.at(-2) === '.git' && last === 'config'
}

/** Whether a file of a project, by its path, may hold secrets. Folders named `private` are common there, so only the rest counts. */
export const mayHoldSecrets = (path: string): boolean =>
  isSecret(
    path
      .split(/[/\\]/u)
      .filter((name) => name !== 'private')
      .join('/'),
  )

/** Whether a pattern may match a file with secrets. Patterns with a file extension, such as `*.ts`, usually do not. */
export function mayFindSecret(pattern: string): boolean {
  const last = pattern.split('/').at(-1) ?? ''
  const isOpen = /[*?[]/u.test(last) && !/\.[a-z]\w*$/u.test(last)
  return isOpen || isSecret(pattern) || pattern.split('/').some((name) => name.startsWith('.') && name.length > 1 && /[*?[]/u.test(name))
}

/** Folders of the system whose files every program may read. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib32|lib64|opt|etc)(?:\/|$)/u

export const isSystemPath = (path: string): boolean =>
  SYSTEM.test(path) && !/^\/etc\/(?:ssh|ssl\/private|NetworkManager)(?:\/|$)/u.test(path)
