/** The grammars that are shipped, with the extensions and names of their files. All other files are shown without colors. */
const FILES = {
  bash: ['sh', 'bash', 'zsh', '.bashrc', '.profile', '.zshrc'],
  c: ['c', 'h'],
  cpp: ['cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
  csharp: ['cs'],
  css: ['css'],
  diff: ['diff', 'patch'],
  docker: ['dockerfile'],
  go: ['go'],
  graphql: ['graphql', 'gql'],
  html: ['html', 'htm'],
  ini: ['ini', 'cfg', 'conf', 'properties', '.editorconfig', '.npmrc', '.gitconfig'],
  java: ['java'],
  javascript: ['js', 'mjs', 'cjs'],
  json: ['json', 'webmanifest'],
  jsonc: ['jsonc', 'json5', 'tsconfig.json', '.eslintrc'],
  jsx: ['jsx'],
  kotlin: ['kt', 'kts'],
  lua: ['lua'],
  make: ['mk', 'makefile'],
  markdown: ['md', 'markdown'],
  php: ['php'],
  powershell: ['ps1', 'psm1'],
  python: ['py', 'pyi'],
  ruby: ['rb', 'rake', 'gemfile', 'rakefile'],
  rust: ['rs'],
  scss: ['scss'],
  sql: ['sql'],
  svelte: ['svelte'],
  swift: ['swift'],
  toml: ['toml'],
  tsx: ['tsx'],
  typescript: ['ts', 'mts', 'cts'],
  vue: ['vue'],
  xml: ['xml', 'svg', 'plist', 'xsd'],
  yaml: ['yaml', 'yml'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Language = keyof typeof FILES

export const LANGUAGES = Object.keys(FILES) as readonly Language[]

const BY_FILE: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) => FILES[language].map((file) => [file, language] as const)),
)

/** The language of a file by its full name, otherwise by its extension. Null if the file is shown without colors. */
export function languageOf(path: string): Language | null {
  const name = (path.split(/[\\/]/).at(-1) ?? '').toLowerCase()
  const extension = name.slice(name.lastIndexOf('.') + 1)
  return BY_FILE.get(name) ?? (name.includes('.') ? BY_FILE.get(extension) : undefined) ?? null
}

/** Language names in Markdown fences that are neither our own names nor file extensions. */
const OTHER_NAMES: Readonly<Record<string, Language>> = {
  shell: 'bash',
  console: 'bash',
  shellsession: 'bash',
  golang: 'go',
  'c++': 'cpp',
  'c#': 'csharp',
  makefile: 'make',
  dotenv: 'ini',
}

/** The language of a fence in Markdown by the text after the backticks: `ts`, `TypeScript`, `src/money.ts`. Null if it is not known. */
export function languageOfFence(info: string): Language | null {
  const name = (info.trim().split(/[\s{,]/, 1)[0] ?? '').toLowerCase()
  return LANGUAGES.find((language) => language === name) ?? OTHER_NAMES[name] ?? languageOf(name) ?? languageOf(`x.${name}`)
}
