/**
 * Files that decide what runs or which instructions an agent gets. Writing one needs a signature in every mode, whether it exists yet or
 * not. Names are matched at any depth, and folded so that they are equal if any file system treats them as equal.
 */
const FILES: ReadonlySet<string> = new Set([
  // These files contain instructions and MCP servers of Countersign and other agents.
  'agents.md',
  'agents.override.md',
  'agent.md',
  'claude.md',
  'claude.local.md',
  'gemini.md',
  '.mcp.json',
  'mcp.json',
  '.cursorrules',
  '.windsurfrules',
  'qwen.md',
  'crush.md',
  'opencode.json',
  'opencode.jsonc',
  'crush.json',
  '.crush.json',
  // These files are for git, whose next command may run programs that they configure.
  '.gitattributes',
  '.gitmodules',
  '.gitconfig',
  '.pre-commit-config.yaml',
  '.pre-commit-config.yml',
  '.overcommit.yml',
  // Servers run these files after a push.
  '.gitlab-ci.yml',
  'jenkinsfile',
  'azure-pipelines.yml',
  'azure-pipelines.yaml',
  '.travis.yml',
  'bitbucket-pipelines.yml',
  '.drone.yml',
  'appveyor.yml',
  '.appveyor.yml',
  // These files are for package managers and tool versions. They configure scripts, registries and other programs.
  'package.json',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  'pnpm-workspace.yaml',
  'bunfig.toml',
  'deno.json',
  'deno.jsonc',
  'composer.json',
  '.pypirc',
  '.condarc',
  '.tool-versions',
  '.mise.toml',
  'mise.toml',
  '.mise.local.toml',
  'mise.local.toml',
  '.ripgreprc',
  // Editors and debuggers run these files when they start in the folder.
  '.exrc',
  '.vimrc',
  '.nvimrc',
  '.nvim.lua',
  '.dir-locals.el',
  '.dir-locals-2.el',
  '.gdbinit',
  '.lldbinit',
  // Interpreters run these files when they start in the folder.
  '.pdbrc',
  '.rprofile',
  '.irbrc',
  '.pryrc',
  // These files are for environment variables and the startup of shells.
  '.env',
  '.envrc',
  '.direnvrc',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.inputrc',
  '.xprofile',
  '.xinitrc',
  '.netrc',
  '.authinfo',
  'microsoft.powershell_profile.ps1',
  'profile.ps1',
])

/** Everything below a folder with this name is a control file. If there is more than one name, they are the names of nested folders. */
const FOLDERS: readonly (readonly string[])[] = [
  ['.countersign'],
  ['.git'],
  ['git~1'],
  ['.husky'],
  ['.githooks'],
  ['.vscode'],
  ['.idea'],
  ['.devcontainer'],
  ['.claude'],
  ['.codex'],
  ['.gemini'],
  ['.cursor'],
  ['.agents'],
  ['.clinerules'],
  ['.continue'],
  ['.junie'],
  ['.kiro'],
  ['.opencode'],
  ['.crush'],
  ['.qwen'],
  ['.amazonq'],
  ['.augment'],
  ['.trae'],
  ['.roo'],
  ['.windsurf'],
  ['.zed'],
  ['.github', 'workflows'],
  ['.github', 'actions'],
  ['.circleci'],
  ['.buildkite'],
  ['.mvn'],
  ['.run'],
  ['.github', 'agents'],
  ['.github', 'copilot-instructions.md'],
  ['.github', 'instructions'],
  ['.github', 'prompts'],
  ['.cargo', 'config'],
  ['.cargo', 'config.toml'],
  ['.config', 'mise'],
  ['.mise'],
  ['.yarn', 'plugins'],
  ['.yarn', 'releases'],
  ['.ssh'],
  ['.gnupg'],
  ['.aws'],
  ['.kube'],
  ['.docker'],
  ['.config', 'fish'],
  ['.config', 'git'],
  ['.config', 'autostart'],
  ['.config', 'systemd'],
  ['library', 'launchagents'],
  ['library', 'launchdaemons'],
  ['start menu', 'programs', 'startup'],
]

// `Map.groupBy` does not exist in older versions of Node, which must be able to load this file so that the library can name the version it
// needs.
const FOLDERS_BY_FIRST_NAME = new Map(FOLDERS.map(([first = '']) => [first, FOLDERS.filter(([name]) => name === first)]))

const ENDINGS: readonly string[] = ['.code-workspace']
const BEGINNINGS: readonly string[] = [
  '.env.',
  'lefthook.',
  '.lefthook.',
  'lefthook-local.',
  '.lefthook-local.',
  'simple-git-hooks.',
  '.simple-git-hooks.',
]

/** Names that stand for all control files when a pattern is compared with names. `js` is missing, or each `*.js` would need a signature. */
const NAMES_FOR_PATTERNS: readonly string[] = [
  ...FILES,
  ...BEGINNINGS.flatMap((start) => ['yml', 'yaml', 'toml', 'json', 'jsonc', 'cjs', 'mjs'].map((end) => `${start}${end}`)),
]

/**
 * Whether a path is a control file. The path is given by its components below the workspace or, if it is outside, below the file system's
 * root. `fits`: tells whether a component that is a pattern may match a name.
 */
export function isControlFile(components: readonly string[], fits: (pattern: string, name: string) => boolean = isSame): boolean {
  const names = components.map(foldedName)
  const last = names.at(-1)
  if (last === undefined) return false
  if (FILES.has(last) || ENDINGS.some((end) => last.endsWith(end)) || BEGINNINGS.some((start) => last.startsWith(start))) return true
  const isIn = (folder: readonly string[], at: number): boolean =>
    folder.every((name, index) => (names[at + index] === undefined ? false : fits(names[at + index] ?? '', name)))
  if (fits === isSame) return names.some((name, at) => FOLDERS_BY_FIRST_NAME.get(name)?.some((folder) => isIn(folder, at)) === true)
  return NAMES_FOR_PATTERNS.some((name) => fits(last, name)) || FOLDERS.some((folder) => names.some((_, at) => isIn(folder, at)))
}

/**
 * Whether the file at a path is a control file. Unlike the words of a command, a path that ends with `HEAD` is certainly a file, and a
 * folder with such a file may be a repository, whose settings name programs that git starts.
 */
export function isControlPath(components: readonly string[]): boolean {
  const folders = components.slice(0, -1).map(foldedName)
  return isControlFile(components) || foldedName(components.at(-1) ?? '') === 'head' || folders.some((name) => /.\.git$/u.test(name))
}

const isSame = (one: string, other: string): boolean => one === other

/** Characters without width, which HFS+ ignores when it compares names (as in `.g<U+200C>it`). */
const IGNORABLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff]/gu

/**
 * Returns one spelling for all names that some file system treats as equal: case, NFC and NFD, ignored characters, the dots and spaces
 * that Windows drops from the end, and the stream after a colon. Converts to upper case before lower case, because only this order folds
 * "ſ" and "K" to ASCII.
 */
function foldedName(name: string): string {
  const plain = name.normalize('NFC').replace(IGNORABLE, '').toUpperCase().toLowerCase()
  return plain.replace(/:.*$/su, '').replace(/[. ]+$/u, '') || plain
}
