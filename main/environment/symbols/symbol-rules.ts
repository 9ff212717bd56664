import type { FoundSymbol } from '../../../shared/api/workspace.ts'

/** A name that a file defines. */
export type Definition = Omit<FoundSymbol, 'path'>

interface Language {
  /** The file extensions of the language. */
  readonly files: readonly string[]
  /**
   * A loose expression with which ripgrep finds lines that might define something. It may match too much: `rules` then decide which of
   * these lines are definitions.
   */
  readonly rough: string
  /** Each pattern has a named group `n` for the name, and either a group `k` for the kind or a fixed `kind`. The first match is used. */
  readonly rules: readonly { readonly pattern: RegExp; readonly kind?: string }[]
}

const NAME = String.raw`(?<n>[\p{L}_$][\p{L}\p{N}_$]*)`
const rule = (pattern: string, kind?: string) => ({ pattern: new RegExp(pattern, 'u'), ...(kind !== undefined && { kind }) })

/** Definitions that can be found line by line. A parser for each language would be more exact, but a hundred times slower. */
const LANGUAGES: readonly Language[] = [
  {
    files: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'],
    rough: String.raw`^\s*(export|default|declare|abstract|async|function|class|interface|type|enum|namespace|const|let|var|public|private|protected|static|get|set|override|readonly)\b|^\s+[#\w$]+\s*(<[^>]*>)?\(.*\{\s*$`,
    rules: [
      rule(
        String.raw`^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const\s+)?(?<k>function|class|interface|type|enum|namespace)\*?\s+${NAME}`,
      ),
      rule(
        String.raw`^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+${NAME}\s*(?::[^=]*)?=\s*(?:async\s*)?(?:function|\(|<|[\w$]+\s*=>)`,
        'function',
      ),
      rule(String.raw`^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+${NAME}`, 'constant'),
      rule(
        String.raw`^\s+(?:(?:public|private|protected|static|async|override|get|set)\s+)*#?(?!(?:if|for|while|switch|catch|return|function|super|constructor)\b)${NAME}\s*(?:<[^>]*>)?\([^=]*\)?.*\{\s*$`,
        'method',
      ),
    ],
  },
  {
    files: ['py', 'pyi'],
    rough: String.raw`^\s*(async\s+def|def|class)\s|^[A-Z_][A-Z0-9_]+\s*[:=]`,
    rules: [
      rule(String.raw`^\s*class\s+${NAME}`, 'class'),
      rule(String.raw`^(?:async\s+)?def\s+${NAME}`, 'function'),
      rule(String.raw`^\s+(?:async\s+)?def\s+${NAME}`, 'method'),
      rule(String.raw`^(?<n>[A-Z_][A-Z0-9_]+)\s*(?::[^=]+)?=`, 'constant'),
    ],
  },
  {
    files: ['go'],
    rough: String.raw`^(func|type|const|var)\s`,
    rules: [
      rule(String.raw`^func\s+\([^)]*\)\s*${NAME}`, 'method'),
      rule(String.raw`^func\s+${NAME}`, 'function'),
      rule(String.raw`^(?<k>type|const|var)\s+${NAME}`),
    ],
  },
  {
    files: ['rs'],
    rough: String.raw`^\s*(pub|async|unsafe|const|static|fn|struct|enum|trait|type|mod|union|macro_rules!|extern)\b`,
    rules: [
      rule(
        String.raw`^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:(?:async|unsafe|const|extern(?:\s+"[^"]*")?)\s+)*(?<k>fn|struct|enum|trait|type|mod|union|static|const)\s+(?:mut\s+)?${NAME}`,
      ),
      rule(String.raw`^\s*macro_rules!\s*${NAME}`, 'macro'),
    ],
  },
  {
    files: ['java', 'kt', 'kts', 'cs', 'swift', 'scala', 'dart', 'php'],
    rough: String.raw`^\s*((public|private|protected|internal|static|final|abstract|sealed|open|override|data|async|virtual|partial|readonly|inline|suspend|mutating|class|interface|enum|record|struct|protocol|object|trait|extension|fun|func|function|def|typealias|namespace)\b|@)`,
    rules: [
      rule(
        String.raw`^\s*(?:[\p{L}@()]+\s+)*?(?<k>class|interface|enum|record|struct|protocol|object|trait|extension|typealias|namespace)\s+${NAME}`,
      ),
      rule(String.raw`^\s*(?:[\p{L}@()]+\s+)*?(?:fun|func|function|def)\s+(?:<[^>]*>\s*)?(?:[\w<>?]+\.)?${NAME}`, 'function'),
      rule(
        String.raw`^\s+(?:(?:public|private|protected|internal|static|final|abstract|override|async|virtual|sealed)\s+)+[\w<>[\],.? ]+\s+${NAME}\s*\(`,
        'method',
      ),
    ],
  },
  {
    files: ['rb', 'ex', 'exs'],
    rough: String.raw`^\s*(def|defp|defmodule|class|module)\s`,
    rules: [
      rule(String.raw`^\s*(?:def|defp)\s+(?:self\.)?(?<n>[\p{L}_][\p{L}\p{N}_]*[?!]?)`, 'method'),
      rule(String.raw`^\s*(?<k>class|module|defmodule)\s+(?<n>[\p{L}_][\p{L}\p{N}_.:]*)`),
    ],
  },
  {
    files: ['c', 'h', 'cc', 'cpp', 'cxx', 'hpp', 'hh', 'm', 'mm'],
    rough: String.raw`^(\s*(class|struct|enum|union|namespace|typedef|#\s*define)\s|[A-Za-z_][\w\s*&:<>,]*\([^;]*$)`,
    rules: [
      rule(String.raw`^\s*#\s*define\s+${NAME}`, 'macro'),
      rule(String.raw`^\s*(?:typedef\s+)?(?<k>class|struct|enum|union|namespace)\s+(?:class\s+)?${NAME}(?!.*;\s*$)`),
      rule(String.raw`^(?!(?:if|for|while|switch|return|else)\b)[A-Za-z_][\w\s*&:<>,]*?[\s*&:]~?${NAME}\s*\([^;]*$`, 'function'),
    ],
  },
  {
    files: ['sh', 'bash', 'zsh'],
    rough: String.raw`^\s*(function\s+\w|[\w-]+\s*\(\))`,
    rules: [
      rule(String.raw`^\s*(?:function\s+)?(?<n>[\w-]+)\s*\(\)`, 'function'),
      rule(String.raw`^\s*function\s+(?<n>[\w-]+)`, 'function'),
    ],
  },
]

const BY_ENDING: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) => language.files.map((ending) => [ending, language])),
)

/** A glob of all files that are searched. */
export const CODE_FILES = `*.{${[...BY_ENDING.keys()].join(',')}}`

/** Regular expressions for ripgrep, one for each language. */
export const ROUGH_LINES: readonly string[] = LANGUAGES.map(({ rough }) => rough)

/** What a line defines. Null if nothing. */
export function definitionIn(path: string, text: string): Omit<Definition, 'line'> | null {
  const language = BY_ENDING.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
  for (const { pattern, kind } of language?.rules ?? []) {
    const groups = pattern.exec(text)?.groups
    if (groups?.['n'] !== undefined) return { name: groups['n'], kind: kind ?? groups['k'] ?? '' }
  }
  return null
}
