import type { OptionSpelling } from './option-values.ts'

/** How a program names the files that it writes. */
export interface Writer extends OptionSpelling {
  /** The operands that it writes. `into`: the last one, or in it, where it is a folder, under the names of the others. */
  readonly operands: 'all' | 'into' | 'none'
  /** What it takes from is changed too: moved away, or written through another name. */
  readonly changesSources?: boolean
  /** The first operand is no file, unless one of these options says it. */
  readonly scriptUnless?: string
  /** It writes its operands only with one of these options. */
  readonly only?: readonly string[]
  /** Options whose value is a file that it writes. */
  readonly files?: readonly string[]
  /** Options whose value is a folder in which it writes. */
  readonly folders?: readonly string[]
  /** Options that make it save under the last name of an address. */
  readonly saves?: 'always' | readonly string[]
  /** Options with which its words do not tell what it writes. */
  readonly hides?: readonly string[]
}

const NOTHING: Writer = { operands: 'none', short: '' }
const ALL: Writer = { operands: 'all', short: '' }
const COMPILER: Writer = { ...NOTHING, short: 'oIDULlx', files: ['o', 'output'], long: ['output'] }
const TARGET = { long: ['target-directory', 'suffix'], folders: ['t', 'target-directory'] }
const IN_PLACE: Writer = { operands: 'all', short: 'eE', glued: 'iIMmlF0', scriptUnless: 'eE', only: ['i', 'in-place'] }

const compilers = ['cc', 'c++', 'gcc', 'g++', 'clang', 'clang++', 'ld', 'go', 'rustc', 'pandoc', 'gpg'] as const

export const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['tee', ALL],
  ['ed', ALL],
  ['ex', ALL],
  ['touch', { ...ALL, short: 'drt', long: ['date', 'reference', 'time'] }],
  [
    'patch',
    {
      ...ALL,
      short: 'pidorBDFgVYz',
      files: ['o', 'output', 'r', 'reject-file'],
      folders: ['d', 'directory'],
      long: ['output', 'directory'],
    },
  ],
  ['truncate', { ...ALL, short: 'sr', long: ['size', 'reference'] }],
  ['shred', { ...ALL, short: 'ns', long: ['iterations', 'size', 'random-source'] }],
  ['mv', { ...TARGET, operands: 'into', short: 'St', changesSources: true }],
  ['cp', { ...TARGET, operands: 'into', short: 'St' }],
  // A hard link is another name of its source, which is then written through it.
  ['ln', { ...TARGET, operands: 'into', short: 'St', changesSources: true }],
  ['install', { ...TARGET, operands: 'into', short: 'Stmog', long: [...TARGET.long, 'mode', 'owner', 'group'] }],
  [
    'rsync',
    {
      operands: 'into',
      short: 'efTBM',
      long: ['log-file', 'write-batch', 'only-write-batch', 'backup-dir', 'partial-dir', 'exclude', 'include', 'filter', 'rsh'],
      files: ['log-file', 'write-batch', 'only-write-batch'],
      folders: ['backup-dir', 'partial-dir', 'T', 'temp-dir'],
    },
  ],
  ['scp', { operands: 'into', short: 'oPiFclSJDX' }],
  ['sed', { ...IN_PLACE, short: 'efl', glued: 'i', scriptUnless: 'ef', long: ['expression', 'file', 'line-length'] }],
  ['perl', IN_PLACE],
  ['ruby', { ...IN_PLACE, short: 'er', glued: 'iIKFx0' }],
  ['sort', { ...NOTHING, short: 'kStTo', files: ['o', 'output'], long: ['output', 'temporary-directory'] }],
  [
    'curl',
    {
      ...NOTHING,
      short: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
      long: [
        'output',
        'output-dir',
        'dump-header',
        'cookie-jar',
        'trace',
        'trace-ascii',
        'stderr',
        'header',
        'data',
        'user',
        'request',
        'url',
      ],
      files: [
        'o',
        'output',
        'D',
        'dump-header',
        'c',
        'cookie-jar',
        'trace',
        'trace-ascii',
        'stderr',
        'libcurl',
        'etag-save',
        'hsts',
        'alt-svc',
      ],
      folders: ['output-dir'],
      saves: ['O', 'remote-name', 'remote-name-all'],
      hides: ['J', 'remote-header-name', 'K', 'config'],
    },
  ],
  [
    'wget',
    {
      ...NOTHING,
      short: 'oaeiBtOTwQPUlADIXR',
      long: ['output-document', 'output-file', 'append-output', 'directory-prefix', 'save-cookies', 'execute', 'input-file', 'header'],
      files: ['O', 'output-document', 'o', 'output-file', 'a', 'append-output', 'save-cookies', 'warc-file', 'rejected-log'],
      folders: ['P', 'directory-prefix'],
      saves: 'always',
      hides: ['e', 'execute', 'content-disposition', 'config'],
    },
  ],
  ['unzip', { ...NOTHING, short: 'dxP', folders: ['d'] }],
  ['7z', { ...NOTHING, short: 'o', folders: ['o'] }],
  ...compilers.map((name): readonly [string, Writer] => [name, COMPILER]),
])
