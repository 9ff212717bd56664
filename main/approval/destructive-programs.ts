/** Programs whose ordinary use removes, overwrites or locks away (R-59, C20). */
export const DESTROYING_PROGRAMS: ReadonlySet<string> = new Set([
  'rm',
  'rmdir',
  'unlink',
  'shred',
  'srm',
  'wipe',
  'del',
  'rd',
  'erase',
  'rimraf',
  'truncate',
  'chmod',
  'chown',
  'chgrp',
  'chattr',
  'setfacl',
  'dd',
  'mkfs',
  'mkswap',
  'fdisk',
  'sfdisk',
  'gdisk',
  'parted',
  'wipefs',
  'blkdiscard',
  'format',
  'shutdown',
  'reboot',
  'halt',
  'poweroff',
  'dropdb',
  'dropuser',
])

type Reach = 'files' | 'elsewhere'

/** What the arguments make of a program that is harmless without them; null: nothing destructive is seen. */
export function destroysByArguments(program: string, args: readonly string[]): Reach | null {
  if (program === 'git') return gitDestroys(args)
  if (program.startsWith('mkfs')) return 'elsewhere'
  if (args.some((arg) => /\b(?:drop|truncate)\s+(?:table|database|schema)\b/iu.test(arg))) return 'elsewhere'
  const line = ` ${args.join(' ')} `
  return BY_ARGUMENTS.find(([name, pattern]) => name === program && pattern.test(line))?.[2] ?? null
}

const BY_ARGUMENTS: readonly (readonly [string, RegExp, Reach])[] = [
  ['find', / -delete | -(?:exec|execdir|ok|okdir) .*\b(?:rm|unlink|shred|truncate|mv|chmod|chown|sh|bash)\b/u, 'files'],
  ['fd', / (?:-x|-X|--exec|--exec-batch) .*\b(?:rm|unlink|shred|sh|bash)\b/u, 'files'],
  ['rsync', / --(?:delete|remove-source-files)/u, 'files'],
  ['tar', / --remove-files /u, 'files'],
  ['crontab', / -r /u, 'elsewhere'],
  ['diskutil', / (?:erase|partition|reformat|apfs delete)/iu, 'elsewhere'],
  ['docker', / (?:prune|rm|rmi|down .*-v|kill) /u, 'elsewhere'],
  ['podman', / (?:prune|rm|rmi|kill) /u, 'elsewhere'],
  ['docker-compose', / (?:down .*-v|rm) /u, 'elsewhere'],
  ['kubectl', / (?:delete|drain) /u, 'elsewhere'],
  ['helm', / (?:uninstall|delete) /u, 'elsewhere'],
  ['terraform', / (?:destroy|apply) /u, 'elsewhere'],
  ['tofu', / (?:destroy|apply) /u, 'elsewhere'],
  ['npm', / unpublish /u, 'elsewhere'],
  ['gh', / (?:repo|release|issue|secret|variable) delete /u, 'elsewhere'],
  ['aws', / (?:rm|rb|delete-\S+|terminate-\S+) /u, 'elsewhere'],
  ['gcloud', / delete /u, 'elsewhere'],
  ['gsutil', / (?:rm|rb) /u, 'elsewhere'],
  ['redis-cli', / (?:flushall|flushdb) /iu, 'elsewhere'],
]

/** Options of git itself that take the next word. */
const WITH_VALUE: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env'])

function gitDestroys(args: readonly string[]): Reach | null {
  let at = 0
  while (args[at]?.startsWith('-')) at += WITH_VALUE.has(args[at] ?? '') ? 2 : 1
  const [verb, ...rest] = args.slice(at)
  if (verb === undefined) return null
  const line = ` ${rest.join(' ')} `
  if (verb === 'push') return / (?:-[a-z]*f[a-z]*|--force\S*|--mirror|--prune|--delete|-d|\+\S+|:\S+) /u.test(line) ? 'elsewhere' : null
  return GIT[verb]?.test(line) ? 'files' : null
}

const GIT: Readonly<Record<string, RegExp>> = Object.assign(Object.create(null) as Record<string, RegExp>, {
  reset: / --(?:hard|merge|keep) /u,
  clean: /^(?!.* (?:-[a-z]*n[a-z]*|--dry-run) )/u,
  checkout: / (?:--|\.|\S*\/|-f|--force|-B|--ours|--theirs|:\S+) /u,
  switch: / (?:-f|--force|--discard-changes|-C) /u,
  restore: /^(?!.* (?:-S|--staged) )|.* (?:-W|--worktree) /u,
  rm: /^(?!.* (?:-n|--dry-run|--cached) )/u,
  stash: / (?:drop|clear) /u,
  branch: / (?:-[a-zA-Z]*[dDf][a-zA-Z]*|--delete|--force) /u,
  tag: / (?:-d|--delete|-f|--force) /u,
  reflog: / (?:expire|delete) /u,
  gc: / --prune/u,
  prune: / /u,
  'filter-branch': / /u,
  'filter-repo': / /u,
  'update-ref': / (?:-d|--stdin) /u,
  worktree: / (?:remove|prune) /u,
  submodule: / deinit /u,
  'checkout-index': / -[a-z]*f/u,
})
