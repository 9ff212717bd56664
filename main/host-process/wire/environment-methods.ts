import { z } from 'zod'
import {
  amount,
  dirEntries,
  execResult,
  fileStat,
  foundChanges,
  pathFacts,
  globResult,
  grepResult,
  shellRunResult,
  size,
  variables,
  wants,
} from './schemas.ts'

const path = z.string()
const isReal = z.boolean().exactOptional()
export const nothing = z.null()
const port = z.int().min(1).max(65_535)
/** More than any project listens on. */
const MAX_PORTS = 1_000

/** The id of the call that created the program's confinement. If left out, the program is not confined. */
const confined = z.int().exactOptional()
export const envVars = variables.exactOptional()
export const workingDir = z.string().exactOptional()

export const commandOptions = {
  timeoutMs: amount.exactOptional(),
  pausesForInput: z.boolean().exactOptional(),
}

/** The calls of an environment and of its comparison. */
export const ENVIRONMENT_METHODS = {
  readFile: { args: z.object({ path, offset: amount.exactOptional(), limit: amount.exactOptional() }), value: z.string() },
  deleteFile: { args: z.object({ path }), value: nothing },
  fileExists: { args: z.object({ path }), value: z.boolean() },
  listDirectory: {
    args: z.object({ path, depth: amount.exactOptional(), options: z.object({ unignored: z.boolean().exactOptional() }) }),
    value: dirEntries,
  },
  grep: {
    args: z.object({
      pattern: z.string(),
      path,
      options: z.object({
        caseSensitive: z.boolean().exactOptional(),
        maxResults: amount.exactOptional(),
        includePattern: z.string().exactOptional(),
        contextLines: amount.exactOptional(),
        multiline: z.boolean().exactOptional(),
        real: isReal,
      }),
    }),
    value: grepResult,
  },
  glob: {
    args: z.object({
      pattern: z.string(),
      path,
      options: z.object({
        maxResults: amount.exactOptional(),
        caseSensitive: z.boolean().exactOptional(),
        ignored: z.boolean().exactOptional(),
        real: isReal,
      }),
    }),
    value: globResult,
  },
  initialize: { args: z.object({}), value: nothing },
  cleanup: { args: z.object({}), value: nothing },
  readBytes: { args: z.object({ path, options: z.object({ maxBytes: amount.exactOptional(), real: isReal }) }), value: nothing },
  /** The bytes are the expected content, if there is any, followed by the new one. `expected` is the length of the former. */
  writeBytes: {
    args: z.object({
      path,
      expected: z.union([z.int().nonnegative(), z.null()]).exactOptional(),
      options: z.object({ mode: z.int().exactOptional(), real: isReal }),
      /** Whether the answer has the facts about the path afterwards. */
      looks: z.boolean().exactOptional(),
    }),
    value: pathFacts.nullable(),
  },
  /**
   * Combines `realpath`, `stat`, `lstat` and, for the paths in `read`, reading. The contents come in the order of the answer, which may
   * have further paths.
   */
  look: { args: z.object({ paths: z.array(path), read: z.array(path) }), value: z.array(pathFacts).readonly() },
  stat: { args: z.object({ path }), value: fileStat.nullable() },
  lstat: { args: z.object({ path }), value: fileStat.nullable() },
  realpath: { args: z.object({ path }), value: z.string() },
  readlink: { args: z.object({ path }), value: z.string() },
  symlink: { args: z.object({ target: z.string(), path }), value: nothing },
  rename: { args: z.object({ from: path, to: path }), value: nothing },
  setMode: { args: z.object({ path, mode: z.int() }), value: nothing },
  createFolder: { args: z.object({ path, mode: z.int() }), value: nothing },
  removeFolder: { args: z.object({ path }), value: nothing },
  /** The bytes are the program’s input and, in the answer, its output. */
  spawn: {
    args: z.object({
      argv: z.tuple([z.string()], z.string()),
      hasInput: z.boolean(),
      options: z.object({
        workingDir,
        env: envVars,
        timeoutMs: amount.exactOptional(),
        maxBytes: amount.exactOptional(),
        confined,
      }),
    }),
    value: z.object({ stderr: z.string(), exitCode: z.number().nullable(), capped: z.boolean() }),
  },
  /** Its bytes cross while the call is open, each stream with credit of its own. Answered when the program and its outputs have ended. */
  open: {
    args: z.object({ argv: z.tuple([z.string()], z.string()), options: z.object({ workingDir, envVars, confined }) }),
    value: nothing,
  },
  execCommand: {
    args: z.object({
      command: z.string(),
      wants,
      options: z.object({ ...commandOptions, workingDir, envVars, confined, terminal: size.exactOptional() }),
    }),
    value: execResult,
  },
  openShell: {
    args: z.object({ options: z.object({ workingDir, envVars, confined, terminal: size.exactOptional() }) }),
    value: z.object({ cwd: z.string() }),
  },
  /** `shell`: the id of the call that opened it. */
  runInShell: {
    args: z.object({ shell: z.int(), command: z.string(), wants, options: z.object(commandOptions) }),
    value: shellRunResult,
  },
  closeShell: { args: z.object({ shell: z.int() }), value: nothing },
  prepareComparison: { args: z.object({}), value: nothing },
  beginComparison: { args: z.object({}), value: nothing },
  /** `run`: the id of the call that began it. The bytes are those of the changed files. */
  endComparison: { args: z.object({ run: z.int() }), value: foundChanges },
  dropComparison: { args: z.object({ run: z.int() }), value: nothing },
  listeningPorts: { args: z.object({}), value: z.array(z.object({ port, program: z.string().max(100) })).max(MAX_PORTS) },
  /** Its bytes cross as those of an opened program. Answered when both directions have ended. */
  dialPort: { args: z.object({ port }), value: nothing },
} as const
